import { useState } from 'preact/hooks'
import type { KeyView, ShopView } from '../../client/control-types.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Button } from '../components/button.tsx'
import { Secret } from '../components/page.tsx'
import { useStore } from '../state/store.ts'
import type { Task } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'

interface ShopKeysProps {
  readonly shop: ShopView
  readonly keys: readonly KeyView[]
  readonly run: Task | undefined
}

export function ShopKeys({ shop, keys: rows, run }: ShopKeysProps) {
  const t = useText()
  const { keys } = useStore().app.session.client.control
  /** A key that was just created. The server never shows it again. */
  const [created, setCreated] = useState<string>()
  return (
    <>
      <p class="quiet mono">{shop.id}</p>
      <table class="plain-table stacked">
        <tbody>
          {rows.map(({ id, mode, hint, created_at, revoked_at }) => (
            <tr key={id}>
              <td>
                <code>{hint ?? id}</code>
              </td>
              <td>{mode}</td>
              <td class="quiet mono">{formatDateTime(created_at)}</td>
              <td>
                {run && !revoked_at && (
                  <Button
                    look="small"
                    onClick={() =>
                      run.ask(t('ask_revoke', { key: hint ?? id }), 'revoke', 'done_revoked', () => keys.revoke(id))
                    }
                  >
                    {t('revoke')}
                  </Button>
                )}
                {revoked_at && <span class="quiet">{t('revoked')}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {created !== undefined && <Secret title={t('show_key')} text={created} />}
      {run && (
        <Button
          onClick={() =>
            run('done_key', async () => setCreated((await keys.create(shop.id, { mode: 'test' })).api_key))
          }
        >
          {t('create_key')}
        </Button>
      )}
    </>
  )
}
