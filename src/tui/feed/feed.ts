// What the view is fed by: the lists once, then the control stream; after a gap or a reset the lists again.
import type { Client } from '../../client/client.ts'
import type { ClockView } from '../../client/control-wire.ts'
import { follow } from '../../client/follow.ts'
import type { WallClock } from '../../time/wall.ts'
import type { Action } from '../state/action.ts'
import { type Heard, hear, objectOf } from '../state/message.ts'
import { readLists } from './read-lists.ts'

export interface FeedPorts {
  readonly client: Client
  readonly wall: WallClock
  readonly signal: AbortSignal
  readonly dispatch: (action: Action) => void
}

/** ms in which messages are gathered before they are taken, all at once. */
const GATHER = 100

/** Messages gathered at most: a stream that tells its past is taken in pieces. */
const PIECE = 1000

/** Every message the server still keeps, before the new ones: the timelines begin before the view did. */
const FROM_THE_START = '0'

/** Feeds until `signal` aborts. Rejects when the server refuses, or cannot be reached at the beginning. */
export async function feed({ client, wall, signal, dispatch }: FeedPorts): Promise<void> {
  let batch: Heard[] = []
  let timer: { cancel(): void } | undefined
  /** Ids the stream told of since the lists were asked for. */
  let fresher: Set<string> | undefined
  let again = false
  let clockTimer: { cancel(): void } | undefined

  function flush(): void {
    timer?.cancel()
    timer = undefined
    if (batch.length === 0) return
    const taken = batch
    batch = []
    dispatch({ type: 'heard', batch: taken, now: wall.now() })
  }

  function take(heard: Heard): void {
    batch.push(heard)
    if (fresher !== undefined) for (const id of idsOf(heard)) fresher.add(id)
    if (heard.told.kind === 'gap' || heard.told.kind === 'reset') catchUp()
    if (heard.told.kind === 'clock') clockTimer ??= wall.setTimeout(readClock, GATHER)
    if (batch.length >= PIECE) flush()
    else timer ??= wall.setTimeout(flush, GATHER)
  }

  /** A message may tell of a clock that was changed long ago: how it stands now is asked for. */
  function readClock(): void {
    clockTimer = undefined
    const told = (clock: ClockView) => dispatch({ type: 'clock', clock, now: wall.now() })
    client.control.clock.get().then(told, () => {})
  }

  /** Reads the lists in the background; one reading at a time, and one more where something came meanwhile. */
  function catchUp(): void {
    if (fresher !== undefined) {
      again = true
      return
    }
    readAll().catch(() => {})
  }

  async function readAll(): Promise<void> {
    const seen = new Set<string>()
    fresher = seen
    try {
      const [clock, lists] = await Promise.all([client.control.clock.get(), readLists(client)])
      flush()
      dispatch({ type: 'clock', clock, now: wall.now() })
      dispatch({ type: 'lists', lists, fresher: seen })
    } finally {
      fresher = undefined
      if (again && !signal.aborted) {
        again = false
        catchUp()
      }
    }
  }

  await readAll()
  const messages = follow({
    connect: (lastEventId, each) => client.control.stream({ lastEventId: lastEventId ?? FROM_THE_START, signal: each }),
    timers: wall,
    signal,
    onState(state) {
      dispatch({ type: 'line', line: state, now: wall.now() })
      // What a cut line has missed comes by itself; the lists tell what a new server knows.
      if (state.state === 'open' && state.again) catchUp()
    },
  })
  try {
    for await (const { id, data } of messages) {
      const heard = hear(id, data)
      if (heard !== undefined) take(heard)
    }
  } finally {
    timer?.cancel()
    clockTimer?.cancel()
  }
}

function idsOf({ told }: Heard): readonly string[] {
  const ids = [objectOf(told)]
  if (told.kind === 'delivery' || told.kind === 'attempt') ids.push(told.delivery.id)
  if (told.kind === 'request') ids.push(String(told.request.id))
  return ids.filter((id) => id !== undefined)
}
