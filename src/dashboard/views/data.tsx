import { useRef, useState } from 'preact/hooks'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Button } from '../components/button.tsx'
import { CodeText } from '../components/empty.tsx'
import { Card, InlineForm, Page } from '../components/page.tsx'
import { saveFile } from '../state/save-file.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type Task, useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { ShopKeys } from './shop-keys.tsx'

export function Data() {
  const t = useText()
  const { session } = useStore().app
  const { shops, keys, store } = session.client.control
  const [data, reload] = useLoaded(async () => {
    const [{ items }, snapshots, counts] = await Promise.all([
      shops.list({ limit: 1000 }),
      store.snapshots(),
      store.counts(),
    ])
    const rows = await Promise.all(items.map(async (shop) => ({ shop, keys: (await keys.list(shop.id)).items })))
    return { shops: rows, snapshots: snapshots.items, counts }
  })
  const task = useTask(reload)
  if (data === undefined) return <p class="quiet loading">{t('loading')}</p>
  const run = session.readOnly ? undefined : task
  return (
    <Page title={t('data')} text={t('data_text')}>
      <div class="cards">
        <Card title={t('rows_title')}>
          <p class="quiet">
            {COUNTED.map(([table, name]) => `${t(name)}: ${t.number(data.counts[table] ?? 0)}`).join(' · ')}
          </p>
          {run && <StateButtons run={run} />}
        </Card>
        <Card title={t('snapshots')}>
          <Snapshots snapshots={data.snapshots} run={run} />
        </Card>
        {data.shops.map((row) => (
          <Card key={row.shop.id} title={row.shop.name}>
            <ShopKeys {...row} run={run} />
          </Card>
        ))}
        {run && (
          <Card title={t('new_shop')}>
            <InlineForm
              fields={[{ name: 'name', label: t('name'), example: 'Acme' }]}
              submit={t('create_shop')}
              onSubmit={({ name = '' }) => run('done_added', () => session.client.control.shops.create({ name }))}
            />
          </Card>
        )}
        {run && (
          <Card title={t('run_scenario')}>
            <RunScenario run={run} />
          </Card>
        )}
      </div>
    </Page>
  )
}

/** The tables of objects that users know. Other rows, such as timers, are internal. */
const COUNTED = [
  ['payments', 'payments'],
  ['payouts', 'payouts'],
  ['refunds', 'refunds'],
  ['events', 'events'],
  ['deliveries', 'webhooks'],
  ['endpoints', 'endpoints'],
  ['shops', 'shops'],
] as const

function StateButtons({ run }: { readonly run: Task }) {
  const t = useText()
  const { store } = useStore().app.session.client.control
  const file = useRef<HTMLInputElement>(null)
  const exportAll = async () => saveFile('psp-export.json', JSON.stringify(await store.export()))
  return (
    <div class="buttons">
      <Button onClick={() => run('done_exported', exportAll)}>{t('export')}</Button>
      <Button onClick={() => file.current?.click()}>{t('import')}</Button>
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0]
          currentTarget.value = ''
          if (chosen === undefined) return
          run.ask(t('ask_import', { file: chosen.name }), 'confirm_import', 'done_imported', async () =>
            store.import(JSON.parse(await chosen.text())),
          )
        }}
      />
      <Button onClick={() => run.ask(t('ask_reset'), 'reset', 'done_reset', () => store.reset())}>{t('reset')}</Button>
      <Button onClick={() => run.ask(t('ask_reset_all'), 'reset_all', 'done_reset', () => store.reset({ all: true }))}>
        {t('reset_all')}
      </Button>
    </div>
  )
}

interface SnapshotsProps {
  readonly snapshots: readonly { readonly name: string; readonly taken_at?: string }[]
  readonly run: Task | undefined
}

function Snapshots({ snapshots, run }: SnapshotsProps) {
  const t = useText()
  const { store } = useStore().app.session.client.control
  return (
    <>
      {snapshots.length === 0 && <p class="quiet">{t('no_snapshots')}</p>}
      <table class="plain-table stacked">
        <tbody>
          {snapshots.map(({ name, taken_at }) => (
            <tr key={name}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td class="quiet mono">{taken_at === undefined ? '' : formatDateTime(taken_at)}</td>
              {run && (
                <td>
                  <Button
                    look="small"
                    onClick={() =>
                      run.ask(t('ask_restore', { name }), 'restore', 'done_restored', () => store.restore(name))
                    }
                  >
                    {t('restore')}
                  </Button>
                  <Button
                    look="small"
                    onClick={() =>
                      run.ask(t('ask_delete_snapshot', { name }), 'delete', 'done_deleted', () =>
                        store.removeSnapshot(name),
                      )
                    }
                  >
                    {t('delete')}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {run && (
        <InlineForm
          fields={[{ name: 'name', label: t('name'), example: 'before-refunds' }]}
          submit={t('take_snapshot')}
          onSubmit={({ name = '' }) => run('done_snapshot', () => store.snapshot(name))}
        />
      )}
    </>
  )
}

/** Runs a scenario from a file that the user chooses, and shows its steps. */
function RunScenario({ run }: { readonly run: Task }) {
  const t = useText()
  const { trigger } = useStore().app.session.client.control
  const [result, setResult] = useState<string>()
  return (
    <>
      <input
        type="file"
        aria-label={t('run_scenario')}
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0]
          currentTarget.value = ''
          if (chosen === undefined) return
          run(
            'done_scenario',
            async () => {
              const report = await trigger({ scenario: JSON.parse(await chosen.text()) })
              setResult(JSON.stringify(report, null, 2))
            },
            { file: chosen.name },
          )
        }}
      />
      <p class="quiet hint">
        <CodeText text={t('scenario_hint')} />
      </p>
      {result !== undefined && (
        <pre class="body" tabIndex={0}>
          {result}
        </pre>
      )}
    </>
  )
}
