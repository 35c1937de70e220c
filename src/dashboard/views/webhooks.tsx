import { useMemo } from 'preact/hooks'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import { formatAttemptResult } from '../../view-model/rows/attempt-result.ts'
import { deliveryMark } from '../../view-model/rows/delivery-mark.ts'
import { type DeliveryRow, deliveryRow, orderNumberOf, ROW_LIMITS, type Tables } from '../../view-model/rows/rows.ts'
import { Mark } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { statusColumn, textColumn, timeColumn } from '../components/columns.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import type { ListDefinition, ListFilter } from '../components/list-definition.ts'
import { applyQuery } from '../components/list-query.ts'
import { ObjectLink } from '../components/object-link.tsx'
import { PaneList } from '../components/pane-list.tsx'
import { textWidth } from '../components/table-layout.ts'
import { Blocks } from '../detail/blocks.tsx'
import { useRowDetail } from '../detail/use-row-detail.ts'
import { browserClock } from '../state/browser-clock.ts'
import { usePerform } from '../state/perform.ts'
import { resendMany } from '../state/resend-many.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { useTask } from '../state/use-task.ts'
import { type Translate, useText } from '../text/translate.ts'

const STATUSES = ['waiting', 'sending', 'delivered', 'exhausted', 'cancelled'] as const

const FILTERS: readonly ListFilter<DeliveryRow>[] = [
  { key: 'status', title: 'status', choices: STATUSES, read: ({ status }) => status },
  { key: 'event', title: 'event', read: ({ event }) => event },
  { key: 'url', title: 'receiver', read: ({ url }) => url },
]

const deliveryListDefinition = (tables: Tables, t: Translate): ListDefinition<DeliveryRow> => ({
  title: 'webhooks',
  searchHint: 'search_webhooks',
  limit: ROW_LIMITS.deliveries,
  empty: { title: 'no_webhooks', text: 'no_webhooks_text' },
  filters: FILTERS,
  columns: [
    {
      key: 'event',
      title: 'event',
      minWidth: 8,
      contentWidth: (row) => textWidth(`${row.event} ${t.label(deliveryMark(row) ?? '')}`),
      narrow: 'start',
      cell: (row) => (
        <>
          <code>{row.event}</code> <Mark mark={deliveryMark(row)} />
        </>
      ),
    },
    statusColumn(({ status }) => status, STATUSES),
    textColumn('last_response', 6, ({ lastAttempt }) => lastAttempt && t.result(formatAttemptResult(lastAttempt)), {
      narrow: 'below-end',
      isQuiet: false,
      fills: true,
    }),
    textColumn('order', 8.5, ({ object_id }) => orderNumberOf(tables, object_id), { narrow: 'below' }),
    textColumn('receiver', 7, ({ url }) => url),
    {
      key: 'attempts',
      title: 'attempts',
      minWidth: 4.5,
      align: 'end',
      cell: ({ attemptsMade, attemptsTotal }) => (
        <span class="quiet">{attemptsTotal === undefined ? attemptsMade : `${attemptsMade} / ${attemptsTotal}`}</span>
      ),
      compare: (a, b) => a.attemptsMade - b.attemptsMade,
    },
    { ...timeColumn(({ next_attempt_at }) => next_attempt_at, 'next_try'), narrow: undefined },
  ],
})

export function Webhooks() {
  const { tables } = useStore().app.model
  const t = useText()
  const list = useMemo(() => deliveryListDefinition(tables, t), [tables.payments, tables.deliveries, t])
  return (
    <PaneList
      pane="deliveries"
      list={list}
      Detail={DeliveryDetail}
      moreText={({ object_id }) => orderNumberOf(tables, object_id) ?? ''}
      actions={(found) => <ResendFailed found={found} />}
    >
      <Listeners />
    </PaneList>
  )
}

/** Resends the failed deliveries that match the search and the filters except the status, the last one first. */
function ResendFailed({ found }: { readonly found: readonly DeliveryRow[] }) {
  const store = useStore()
  const t = useText()
  const { session, route, progress } = store.app
  const { status: _, ...rest } = route.query
  const failed = applyQuery(found, rest, FILTERS, []).filter(({ status }) => status === 'exhausted')
  if (session.readOnly || failed.length === 0) return null
  const count = t.number(failed.length)
  const ids = failed.map(({ id }) => id).reverse()
  return (
    <Button
      disabled={progress !== undefined}
      onClick={() =>
        store.open({
          kind: 'confirm',
          look: 'primary',
          question: t('ask_resend', { count }),
          confirm: t('resend_failed', { count }),
          run: () =>
            void resendMany(ids, { retry: session.client.control.deliveries.retry, store, t, timers: browserClock }),
        })
      }
    >
      {t('resend_failed', { count })}
    </Button>
  )
}

function DeliveryDetail({ id }: { readonly id: string }) {
  const t = useText()
  const perform = usePerform()
  const store = useStore()
  const { model, session } = store.app
  const live = model.tables.deliveries.get(id)
  const loaded = useRowDetail('deliveries', id, live)
  const [stored] = loaded.deliveries
  const row =
    live ?? (stored && deliveryRow({ ...stored, attempts_made: stored.attempts.length }, stored.attempts.at(-1), 0))
  if (row === undefined) return <NoDetail {...loaded} />
  const view = describeRow(row, loaded)
  return (
    <DetailFrame
      view={view}
      buttons={
        <>
          {!session.readOnly && (
            <Button look="primary" onClick={() => void perform({ do: 'retry', delivery_id: id })}>
              {t('resend')}
            </Button>
          )}
          <ObjectLink view={row.event.startsWith('payout') ? 'payouts' : 'payments'} id={row.object_id}>
            {t('open_object')}
          </ObjectLink>
          <ObjectLink view="events" id={row.event_id}>
            {t('event')}
          </ObjectLink>
        </>
      }
    >
      <Blocks blocks={view.blocks} />
    </DetailFrame>
  )
}

/** The stream does not report that a listener connects, so the list is read again after this many ms. */
const POLL_INTERVAL = 3000

/** The listeners above the webhooks, such as `psp listen`, and whether they are connected. */
function Listeners() {
  const t = useText()
  const { session } = useStore().app
  const { listeners } = session.client.control
  const [data, reload] = useLoaded(
    () => listeners.list({ limit: 100 }),
    ({ kind }) => kind === 'attempt',
    { interval: POLL_INTERVAL },
  )
  const run = useTask(reload)
  // These times are on the system clock, unlike those of the webhooks.
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
