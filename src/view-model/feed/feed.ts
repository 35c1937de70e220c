// Supplies the view with the lists, then the control stream. Reads the lists again after a gap, a reset or a reconnect.

import type { Client } from '../../client/assemble-client.ts'
import type { ClockView } from '../../client/clock-types.ts'
import type { Page, PageQuery } from '../../client/control-types.ts'
import { follow, type StreamEvent, type StreamState } from '../../client/follow.ts'
import type { ListedDelivery } from '../../client/history-types.ts'
import { paginate } from '../../client/paginate.ts'
import { pause } from '../../domain/promises.ts'
import type { Timers } from '../../domain/time.ts'
import type { RowsRead } from '../model.ts'
import type { ModelAction } from '../model-action.ts'
import type { Lists } from '../rows/merge-lists.ts'
import { ROW_LIMITS } from '../rows/rows.ts'
import { type ParsedMessage, parseMessages } from '../rows/stream-message.ts'
import { MAX_OLDER_FAILING } from '../rows/webhook-health.ts'

export interface FeedPorts {
  readonly client: Client
  readonly systemClock: Timers & { now(): number }
  readonly signal: AbortSignal
  readonly dispatch: (action: ModelAction) => void
  /** Opens the stream. Default: a separate connection for this view. */
  readonly open?: OpenStream
  /** False: only messages from now on are requested, so timelines begin empty. Default: true. */
  readonly history?: boolean
}

/** Yields the messages after `from`, across connections, until `signal` aborts. */
export type OpenStream = (options: {
  readonly from: string
  readonly signal: AbortSignal
  readonly onState: (state: StreamState) => void
}) => AsyncIterable<StreamEvent>

/** The server sends a message at once, and then collects messages for this long, because one batch costs less. */
const STREAM_INTERVAL = '250ms'

/** ms for which messages are collected into a batch. */
const BATCH_INTERVAL = 50

/** Maximum messages of a batch. At the start there may be many old messages. */
const MAX_BATCH = 500

/** Requests every message that the server still keeps, so that timelines include events before the view opened. */
const FIRST_MESSAGE = '0'

/** @param timers for reconnects */
export function openStream(client: Client, timers: Timers): OpenStream {
  return ({ from, signal, onState }) =>
    follow({
      connect: (lastEventId, requestSignal) =>
        client.control.stream({ lastEventId: lastEventId ?? from, interval: STREAM_INTERVAL, signal: requestSignal }),
      timers,
      signal,
      onState,
    })
}

/** Runs until `signal` aborts. Rejects if the server is unreachable at the start or rejects the requests. */
export async function runFeed(ports: FeedPorts): Promise<void> {
  const { client, systemClock, signal, dispatch, history = true, open = openStream(client, systemClock) } = ports
  let batch: ParsedMessage[] = []
  let timer: { cancel(): void } | undefined
  let reading = false
  let readAgain = false
  let newestId = 0
  let clockTimer: { cancel(): void } | undefined

  const nextTurn: Turn = () => pause(0, systemClock)

  function flush(): void {
    timer?.cancel()
    timer = undefined
    if (batch.length === 0) return
    const messages = batch
    batch = []
    dispatch({ type: 'messages', batch: messages, now: systemClock.now() })
  }

  function receive(parsed: ParsedMessage): void {
    batch.push(parsed)
    newestId = Number(parsed.id)
    if (parsed.message.kind === 'gap' || parsed.message.kind === 'reset') catchUp()
    if (parsed.message.kind === 'clock') clockTimer ??= systemClock.setTimeout(readClock, BATCH_INTERVAL)
    if (batch.length < MAX_BATCH) timer ??= systemClock.setTimeout(flush, BATCH_INTERVAL)
  }

  /** Reads the current state of the clock, because a clock message may be old. */
  function readClock(): void {
    clockTimer = undefined
    const update = (clock: ClockView) => dispatch({ type: 'clock', clock, now: systemClock.now() })
    client.control.clock.get().then(update, () => {})
  }

  /** Reads the lists in the background, one read at a time. Calls during a read cause one more read. */
  function catchUp(): void {
    if (reading) {
      readAgain = true
      return
    }
    readAll().catch(() => {})
  }

  async function readAll(): Promise<number> {
    reading = true
    try {
      const newestBefore = newestId
      const { last_event_id, access } = await client.control.health(signal)
      dispatch({ type: 'access', readOnly: access === 'view' })
      const lastMessageId = Number(last_event_id)
      const reader = createListReader(client, nextTurn)
      const [clock, payments] = await Promise.all([client.control.clock.get(), reader.newest('payments')])
      flush()
      dispatch({ type: 'clock', clock, now: systemClock.now() })
      dispatch({ type: 'lists', lists: { ...payments, lastMessageId, fromNewServer: lastMessageId < newestBefore } })
      for (const pane of READ_ORDER.slice(1))
        dispatch({ type: 'lists', lists: { ...(await reader.newest(pane)), lastMessageId } })
      for (const pane of READ_ORDER) {
        const lists = await reader.all(pane, (count) => dispatch({ type: 'reading', pane, count }))
        dispatch({ type: 'lists', lists: { ...lists, lastMessageId } })
      }
      return lastMessageId
    } finally {
      reading = false
      if (readAgain && !signal.aborted) {
        readAgain = false
        catchUp()
      }
    }
  }

  const newestAtStart = await readAll()
  const stream = open({
    from: history ? FIRST_MESSAGE : String(newestAtStart),
    signal,
    onState(state) {
      dispatch({ type: 'connection', connection: state, now: systemClock.now() })
      // The stream resends missed messages itself, but after a reconnect another server may respond.
      if (state.state === 'open' && state.isReconnect) catchUp()
    },
  })
  try {
    for await (const { id, data } of stream) {
      for (const parsed of parseMessages(id, data)) receive(parsed)
      if (batch.length < MAX_BATCH) continue
      flush()
      await nextTurn()
    }
  } finally {
    timer?.cancel()
    clockTimer?.cancel()
  }
}

/** Parsing a larger page would block the keys, and so would a server in this process that serializes it. */
const PAGE_SIZE = 100

/** Requests include bodies, so their pages are smaller. */
const PAGE_SIZE_WITH_BODIES = 50

/** Resolves in a later turn of the event loop. Otherwise keys would wait for a server in this process. */
type Turn = () => Promise<void>

type ReadPane = keyof RowsRead

const READ_ORDER = ['payments', 'deliveries', 'payouts', 'requests'] as const satisfies readonly ReadPane[]

type ReadLists = Omit<Lists, 'lastMessageId'>

/** Reads one page at a time, so that keys are handled between pages. */
function createListReader({ control }: Client, nextTurn: Turn) {
  const { lists, deliveries, requests } = control
  const pageOf: { readonly [P in ReadPane]: (query: PageQuery) => Promise<Page<unknown>> } = {
    payments: lists.payments,
    deliveries: deliveries.summaries,
    payouts: lists.payouts,
    requests: (query) => requests({ ...query }),
  }
  const sizeOf = (pane: ReadPane) => (pane === 'requests' ? PAGE_SIZE_WITH_BODIES : PAGE_SIZE)
  /** Reads the failing deliveries that are older than `newest`, so that their webhooks are shown as failing too. */
  async function olderFailing(newest: readonly ListedDelivery[]): Promise<ListedDelivery[]> {
    const known = new Set(newest.map(({ id }) => id))
    const older: ListedDelivery[] = []
    for (const status of ['exhausted', 'waiting'] as const) {
      const page = async (query: PageQuery) => {
        await nextTurn()
        return await deliveries.summaries({ ...query, status })
      }
      const found = await paginate(page, { limit: MAX_OLDER_FAILING }, PAGE_SIZE)
      older.push(...found.filter(({ id, attempts_made }) => !known.has(id) && attempts_made > 0))
    }
    return older.sort((a, b) => ((a.created_at ?? '') < (b.created_at ?? '') ? 1 : -1))
  }

  return {
    /** Reads the first page of a list. It is shown while the lists are read. */
    async newest(pane: ReadPane): Promise<ReadLists> {
      await nextTurn()
      const { items } = await pageOf[pane]({ limit: sizeOf(pane) })
      return { [pane]: items, complete: false }
    },
    /** @param progress called with the number of rows so far, after each page that another page follows */
    async all(pane: ReadPane, progress: (count: number) => void): Promise<ReadLists> {
      let count = 0
      const counted = async (query: PageQuery) => {
        await nextTurn()
        const page = await pageOf[pane](query)
        count += page.items.length
        if (page.next_cursor !== null) progress(count)
        return page
      }
      const rows = await paginate(counted, { limit: ROW_LIMITS[pane] }, sizeOf(pane))
      if (pane !== 'deliveries' || rows.length < ROW_LIMITS.deliveries) return { [pane]: rows }
      return { deliveries: [...(rows as ListedDelivery[]), ...(await olderFailing(rows as ListedDelivery[]))] }
    },
  }
}
