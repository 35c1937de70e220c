import { useEffect, useState } from 'preact/hooks'
import type { EventView } from '../../client/control-types.ts'
import { fieldRows } from '../../view-model/detail/blocks.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Button } from '../components/button.tsx'
import { dateFilter, textColumn, timeColumn } from '../components/columns.tsx'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { InlineForm } from '../components/page.tsx'
import { Blocks } from '../detail/blocks.tsx'
import { usePerform } from '../state/perform.ts'
import { sentText } from '../state/sent-text.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { useSearch } from '../state/use-search.ts'
import { useTask } from '../state/use-task.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'

/** The maximum number of events that the page keeps. */
const LIMIT = 1000

const createdOf = ({ created_at }: EventView) => created_at

const LIST: ListDefinition<EventView> = {
  title: 'events',
  searchHint: 'search_events',
  limit: LIMIT,
  empty: { title: 'no_events', text: 'no_events_text' },
  filters: [{ key: 'event', title: 'event', read: ({ event }) => event }, dateFilter(createdOf)],
  columns: [
    {
      key: 'event',
      title: 'event',
      minWidth: 9,
      narrow: 'start',
      cell: ({ event }) => <code>{event}</code>,
    },
    textColumn('order', 6, ({ data }) => textOf(data['order_id']), {
      narrow: 'below',
      isQuiet: false,
    }),
    timeColumn(createdOf),
    {
      key: 'object',
      title: 'object',
      minWidth: 8,
      contentWidth: () => 18,
      cell: ({ object_id }) => <span class="quiet mono">{object_id}</span>,
    },
  ],
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Loads the events, again after a reset, and adds the events of the stream. */
function useEvents(): { readonly rows: readonly EventView[]; readonly reading: number | undefined } {
  const store = useStore()
  const { session, loaded } = store.app
  const [events, setEvents] = useState<readonly EventView[]>([])
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    let isCurrent = true
    const load = () =>
      void session.client.control.events.list({ limit: LIMIT }).then(({ items }) => {
        if (!isCurrent) return
        setEvents(items)
        setRead(true)
      }, store.fail)
    load()
    const stop = store.onMessages((batch = []) => {
      if (batch.some(({ message }) => message.kind === 'reset')) load()
      const added = batch.flatMap(({ message }) => (message.kind === 'event' ? [message.event] : []))
      if (added.length > 0) setEvents((known) => merged(known, added))
    })
    return () => {
      isCurrent = false
      stop()
    }
  }, [session, loaded])
  return { rows: events, reading: isRead ? undefined : events.length }
}

/** Puts the added events in front, the newest first. */
function merged(known: readonly EventView[], added: readonly EventView[]): readonly EventView[] {
  const ids = new Set(known.map(({ id }) => id))
  return [...added.filter(({ id }) => !ids.has(id)).reverse(), ...known].slice(0, LIMIT)
}

export function Events() {
  const { rows, reading } = useEvents()
  const found = useSearch(rows, textsOf)
  return (
    <ListView
      list={LIST}
      rows={rows}
      found={found}
      reading={reading}
      detail={(id) => <EventDetail key={id} id={id} />}
    />
  )
}

function textsOf({ id, event, object_id, data }: EventView) {
  return [id, event, object_id, textOf(data['order_id'])]
}

function EventDetail({ id }: { readonly id: string }) {
  const t = useText()
  const { session } = useStore().app
  const { events, shops } = session.client.control
  const perform = usePerform()
  const run = useTask()
  const load = async () => {
    const event = await events.get(id)
    const shop = await shops.get(event.shop_id).catch(() => undefined)
    return { event, shop: shop === undefined ? event.shop_id : `${shop.name} ${shop.id}` }
  }
  const [loaded] = useLoaded(() => load().catch((error: unknown) => ({ problem: errorText(error, t) })))
  if (loaded === undefined || 'problem' in loaded)
    return <NoDetail loading={loaded === undefined} problem={loaded?.problem} />
  const { event, shop } = loaded
  const replayTo = async (url: string) => sentText((await events.replay(id, { url })).items, t)
  return (
    <DetailFrame
      view={{ title: event.event, note: formatDateTime(event.created_at), problem: undefined, summary: [] }}
      buttons={
        <>
          {!session.readOnly && (
            <Button look="primary" onClick={() => void perform({ do: 'replay', event_id: id })}>
              {t('replay')}
            </Button>
          )}
          <ObjectLink view={event.event.startsWith('payout') ? 'payouts' : 'payments'} id={event.object_id}>
            {t('open_object')}
          </ObjectLink>
        </>
      }
    >
      {!session.readOnly && (
        <div class="block">
          <InlineForm
            fields={[{ name: 'url', label: t('replay_to'), example: 'http://localhost:3000/hooks' }]}
            submit={t('replay_to_url')}
            onSubmit={({ url = '' }) => run(undefined, () => replayTo(url))}
          />
        </div>
      )}
      <Blocks
        blocks={[
          {
            kind: 'fields',
            title: 'Fields',
            rows: fieldRows([
              ['event', event.id],
              ['object', event.object_id],
              ['shop', shop],
            ]),
          },
          { kind: 'json', text: JSON.stringify(event.data) },
        ]}
      />
    </DetailFrame>
  )
}
