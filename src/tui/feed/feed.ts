// What the view is fed by: the lists once, then the control stream; after a gap or a reset the lists again.
import type { Client } from '../../client/client.ts'
import type { ClockView } from '../../client/control-wire.ts'
import { follow } from '../../client/follow.ts'
import type { WallClock } from '../../time/wall.ts'
import type { Action } from '../state/action.ts'
import { type ParsedMessage, parseMessage } from '../state/stream-message.ts'
import { readLists } from './read-lists.ts'

export interface FeedPorts {
  readonly client: Client
  readonly wall: WallClock
  readonly signal: AbortSignal
  readonly dispatch: (action: Action) => void
}

/** ms in which messages are gathered before they are taken, all at once. */
const BATCH_INTERVAL = 100

/** Messages gathered at most: a stream that tells its past is taken in pieces. */
const MAX_BATCH = 1000

/** Every message the server still keeps, before the new ones: the timelines begin before the view did. */
const FIRST_MESSAGE = '0'

/** Feeds until `signal` aborts. Rejects when the server refuses, or cannot be reached at the beginning. */
export async function runFeed({ client, wall, signal, dispatch }: FeedPorts): Promise<void> {
  let batch: ParsedMessage[] = []
  let timer: { cancel(): void } | undefined
  let reading = false
  let again = false
  /** The newest id heard. */
  let heardTo = 0
  let clockTimer: { cancel(): void } | undefined

  function flush(): void {
    timer?.cancel()
    timer = undefined
    if (batch.length === 0) return
    const taken = batch
    batch = []
    dispatch({ type: 'messages', batch: taken, now: wall.now() })
  }

  function take(heard: ParsedMessage): void {
    batch.push(heard)
    heardTo = Number(heard.id)
    if (heard.message.kind === 'gap' || heard.message.kind === 'reset') catchUp()
    if (heard.message.kind === 'clock') clockTimer ??= wall.setTimeout(readClock, BATCH_INTERVAL)
    if (batch.length >= MAX_BATCH) flush()
    else timer ??= wall.setTimeout(flush, BATCH_INTERVAL)
  }

  /** A message may tell of a clock that was changed long ago: how it stands now is asked for. */
  function readClock(): void {
    clockTimer = undefined
    const told = (clock: ClockView) => dispatch({ type: 'clock', clock, now: wall.now() })
    client.control.clock.get().then(told, () => {})
  }

  /** Reads the lists in the background; one reading at a time, and one more where something came meanwhile. */
  function catchUp(): void {
    if (reading) {
      again = true
      return
    }
    readAll().catch(() => {})
  }

  async function readAll(): Promise<void> {
    reading = true
    try {
      const before = heardTo
      const { last_event_id } = await client.control.health(signal)
      const lastMessageId = Number(last_event_id)
      const [clock, read] = await Promise.all([client.control.clock.get(), readLists(client)])
      flush()
      dispatch({ type: 'clock', clock, now: wall.now() })
      dispatch({ type: 'lists', lists: { ...read, lastMessageId, fromNewServer: lastMessageId < before } })
    } finally {
      reading = false
      if (again && !signal.aborted) {
        again = false
        catchUp()
      }
    }
  }

  await readAll()
  const messages = follow({
    connect: (lastEventId, each) => client.control.stream({ lastEventId: lastEventId ?? FIRST_MESSAGE, signal: each }),
    timers: wall,
    signal,
    onState(state) {
      dispatch({ type: 'connection', connection: state, now: wall.now() })
      // What a cut line has missed comes by itself; the lists tell what a new server knows.
      if (state.state === 'open' && state.again) catchUp()
    },
  })
  try {
    for await (const { id, data } of messages) {
      const heard = parseMessage(id, data)
      if (heard !== undefined) take(heard)
    }
  } finally {
    timer?.cancel()
    clockTimer?.cancel()
  }
}
