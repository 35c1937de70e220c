import { Button } from '../components/button.tsx'
import { CodeText } from '../components/empty.tsx'
import { Card, CopyBlock, Page } from '../components/page.tsx'
import { usePerform } from '../state/perform.ts'
import type { Session } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { loadingText, useText } from '../text/translate.ts'

/** Commands and code with the address of this server. They read the API key from a variable. */
const COMMANDS: readonly (readonly [title: string, text: (server: Pick<Session, 'base' | 'command'>) => string])[] = [
  ['psp', ({ base, command }) => `${command} payments create --amount 150000 --url ${base}`],
  [
    'curl',
    ({ base, command }) => `eval "$(${command} config --env --url ${base} | sed 's/^/export /')"
curl -X POST ${base}/v1/public/payments \\
  -H "Authorization: Bearer $PSP_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"amount": 150000}'`,
  ],
  [
    'PHP',
    ({ base }) => `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => "Content-Type: application/json\\r\\nAuthorization: Bearer " . getenv('PSP_API_KEY'),
    'content' => json_encode(['amount' => 150000]),
]]);
echo file_get_contents('${base}/v1/public/payments', false, $context);`,
  ],
  [
    'Python',
    ({ base }) => `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/v1/public/payments",
    data=json.dumps({"amount": 150000}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["PSP_API_KEY"],
        "Content-Type": "application/json",
    },
)
print(urllib.request.urlopen(request).read().decode())`,
  ],
]

export function Start() {
  const t = useText()
  const store = useStore()
  const perform = usePerform()
  const { session, model } = store.app
  const reading = model.rowsRead.payments
  const [newest] = [...model.tables.payments.values()].reverse()
  const listen = `${session.command} listen --forward localhost:3000/hooks --url ${session.base}`
  return (
    <Page title={t('start')} text={t('start_text')}>
      <p class="quiet" role="status">
        {reading !== undefined
          ? loadingText(t, reading)
          : newest === undefined
            ? t('start_waiting')
            : t('start_arrived', { count: t.number(model.tables.payments.size) })}{' '}
        {newest !== undefined && (
          <Button look="small" onClick={() => store.go({ view: 'payments', id: newest.id })}>
            {t('open_newest')}
          </Button>
        )}
      </p>
      <p class="quiet">
        <CodeText text={t('start_key')} />
      </p>
      <div class="cards">
        {COMMANDS.map(([title, text]) => (
          <Card key={title} title={title}>
            <CopyBlock text={text(session)} onCopy={() => void perform({ do: 'copy', text: text(session) })} />
          </Card>
        ))}
        <Card title={t('webhooks')}>
          <CopyBlock text={listen} onCopy={() => void perform({ do: 'copy', text: listen })} />
        </Card>
      </div>
    </Page>
  )
}
