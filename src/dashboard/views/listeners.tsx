// The list of listeners above the webhooks: every listener, such as `psp listen`, and whether it is connected.
import { Button } from '../components/button.tsx'
import { browserClock } from '../state/browser-clock.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'

/** The stream does not report that a listener connects, so the list is read again after this many ms. */
const POLL_INTERVAL = 3000

export function Listeners() {
  const t = useText()
  const { session } = useStore().app
  const { listeners } = session.client.control
  const [data, reload] = useLoaded(
    () => listeners.list({ limit: 100 }),
    ({ kind }) => kind === 'attempt',
    { interval: POLL_INTERVAL },
  )
  const run = useTask(reload)
  // These times are of the system clock. Everything else in the dashboard has times of the sandbox's clock.
  const since = (at: string) => ({ span: t.span(Math.max(0, browserClock.now() - Date.parse(at))) })
  if (data === undefined || data.items.length === 0) return null
  return (
    <ul class="listeners" aria-label={t('listeners')}>
      {data.items.map(({ id, url, events, connected_at, forwarded_at }) => (
        <li key={id}>
          <span class={`badge tone-${connected_at === null ? 'dim' : 'success'}`}>
            {connected_at === null ? t('not_connected') : t('connected_for', since(connected_at))}
          </span>
          <bdi class="url">{url}</bdi>
          <span class="quiet">
            {events.length > 0 && `${events.join(', ')} · `}
            {forwarded_at === null ? t('nothing_forwarded') : t('last_forwarded', since(forwarded_at))}
          </span>
          {connected_at === null && !session.readOnly && (
            <Button
              look="small"
              onClick={() =>
                run.ask(t('ask_close_listener', { url }), 'delete', 'done_deleted', () => listeners.close(id))
              }
            >
              {t('delete')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
