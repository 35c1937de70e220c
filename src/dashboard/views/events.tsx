import { useEffect, useMemo, useState } from 'preact/hooks'
import type { EventView } from '../../client/control-types.ts'
import { fieldRows } from '../../view-model/detail/blocks.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { DetailFrame, NoDetail } from '../components/detail-frame.tsx'
import type { ListDefinition } from '../components/list-definition.ts'
import { ListView } from '../components/list-view.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { Blocks } from '../detail/blocks.tsx'
import { useActions } from '../state/actions.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import type { View } from './view.ts'

/** The most events that are kept in the page. */
const LIMIT = 1000

const LIST: ListDefinition<EventView> = {
  title: 'events',
  searchHint: 'search_events',
  limit: LIMIT,
  empty: { title: 'no_events', text: 'no_events_text' },
  filters: [
    { key: 'event', title: 'event', read: ({ event }) => event },
    { key: 'date', title: 'date', choices: 'date', read: ({ created_at }) => created_at.slice(0, 10) },
  ],
  columns: [
    {
      key: 'event',
      title: 'event',
      width: 'minmax(9rem, 1fr)',
      narrow: 'start',
      cell: ({ event }) => <code>{event}</code>,
    },
    {
      key: 'order',
      title: 'order',
      width: 'minmax(6rem, 1fr)',
      narrow: 'below',
      cell: ({ data }) => <bdi>{textOf(data['order_id'])}</bdi>,
    },
    {
      key: 'object',
      title: 'object',
      width: 'minmax(8rem, 1.4fr)',
      cell: ({ object_id }) => <span class="quiet mono">{object_id}</span>,
    },
    {
      key: 'created',
      title: 'created',
      width: '10rem',
      narrow: 'below-end',
      cell: ({ created_at }) => <time class="quiet">{formatDateTime(created_at)}</time>,
    },
  ],
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Loads the events once, and adds those of the stream. */
function useEvents(): readonly EventView[] {
  const store = useStore()
  const { session, loaded } = store.now
  const [events, setEvents] = useState<readonly EventView[]>([])
  useEffect(() => {
    let isCurrent = true
    const load = () =>
      void session.client.control.events.list({ limit: LIMIT }).then(
        ({ items }) => isCurrent && setEvents(items),
        (error: Error) => store.toast(error.message, 'failure'),
      )
    load()
    const stop = store.onMessages((batch) => {
      if (batch.some(({ message }) => message.kind === 'reset')) load()
      const added = batch.flatMap(({ message }) => (message.kind === 'event' ? [message.event] : []))
      if (added.length > 0) setEvents((known) => merged(known, added))
    })
    return () => {
      isCurrent = false
      stop()
    }
  }, [session, loaded])
  return events
}

/** The newest first. */
function merged(known: readonly EventView[], added: readonly EventView[]): readonly EventView[] {
  const ids = new Set(known.map(({ id }) => id))
  return [...added.filter(({ id }) => !ids.has(id)).reverse(), ...known].slice(0, LIMIT)
}

function Events() {
  const { route } = useStore().now
  const rows = useEvents()
  const words = (route.query['q'] ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const found = useMemo(
    () => (words.length === 0 ? rows : rows.filter((row) => words.every((word) => searchText(row).includes(word)))),
    [rows, words.join(' ')],
  )
  return <ListView list={LIST} rows={rows} found={found} detail={(id) => <EventDetail key={id} id={id} />} />
}

function searchText({ id, event, object_id, data }: EventView): string {
  return [id, event, object_id, textOf(data['order_id'])].join(' ').toLowerCase()
}

function EventDetail({ id }: { readonly id: string }) {
  const t = useText()
  const store = useStore()
  const { perform } = useActions()
  const { session } = store.now
  const [event, setEvent] = useState<EventView>()
  const [isLoading, setLoading] = useState(true)
  useEffect(() => {
    session.client.control.events
      .get(id)
      .then(setEvent, () => undefined)
      .finally(() => setLoading(false))
  }, [session, id])
  if (event === undefined) return <NoDetail what={t('event')} loading={isLoading} />
  const replayTo = (url: string) =>
    session.client.control.events.replay(id, { url }).then(
      ({ items }) =>
        store.toast(t('done_sent', { results: items.map((item) => `${item.status} ← ${item.url}`).join(', ') })),
      (error: Error) => store.toast(error.message, 'failure'),
    )
  return (
    <DetailFrame
      view={{ title: event.event, note: formatDateTime(event.created_at), problem: undefined, facts: [] }}
      buttons={
        <>
          {!session.readOnly && (
            <button type="button" class="button primary" onClick={() => void perform({ do: 'replay', event_id: id })}>
              {t('replay')}
            </button>
          )}
          <ObjectLink view={event.event.startsWith('payout') ? 'payouts' : 'payments'} id={event.object_id}>
            {t('open_object')}
          </ObjectLink>
        </>
      }
    >
      {!session.readOnly && <ReplayForm onReplay={(url) => void replayTo(url)} />}
      <Blocks
        blocks={[
          {
            kind: 'fields',
            title: 'Fields',
            rows: fieldRows([
              ['event', event.id],
              ['object', event.object_id],
              ['shop', event.shop_id],
            ]),
          },
          { kind: 'json', text: JSON.stringify(event.data) },
        ]}
      />
    </DetailFrame>
  )
}

/** Sends the event to another URL, signed with the secret of the shop. */
function ReplayForm({ onReplay }: { readonly onReplay: (url: string) => void }) {
  const t = useText()
  const [url, setUrl] = useState('')
  return (
    <form
      class="block inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        onReplay(url)
      }}
    >
      <label for="replay-url">{t('replay_to')}</label>
      <input
        id="replay-url"
        type="url"
        required
        placeholder="http://localhost:3000/hooks"
        value={url}
        onInput={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <button type="submit" class="button">
        {t('replay')}
      </button>
    </form>
  )
}

export const eventsView: View = { name: 'events', title: 'events', icon: 'event', component: Events }
