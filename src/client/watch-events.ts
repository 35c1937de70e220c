// Passes earlier and new events to a caller that waits for one.
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Timers } from '../domain/time.ts'
import type { Client } from './client.ts'
import type { EventView } from './control-types.ts'
import { type FollowOptions, follow, type StreamState } from './follow.ts'
import { rowsOf } from './paginate.ts'

export type EventQuery = NonNullable<Parameters<Client['control']['events']['list']>[0]>

/** Returns a function that reads events, oldest first: all of them at the first call, later only the new ones. */
export function createEventReader(client: Client, query: EventQuery): () => Promise<EventView[]> {
  let newest: string | undefined
  return async () => {
    const events: EventView[] = []
    for await (const event of rowsOf(client.control.events.list, query)) {
      if (event.id === newest) break
      events.push(event)
    }
    newest = events[0]?.id ?? newest
    return events.reverse()
  }
}

export interface EventWatch {
  readonly timers: Timers
  readonly signal: AbortSignal
  /** Reads the events from before the connection, which the stream may not contain. Default: only new events count. */
  readonly readEarlier?: (() => Promise<EventView[]>) | undefined
  /** Called for each event, possibly more than once. */
  readonly onEvent: (event: EventView) => void
  /** Called after each read and each message of the stream. The watch ends if it returns true. */
  readonly isDone: () => boolean | Promise<boolean>
  readonly onState?: (state: StreamState) => void
  /** In ms, see {@link FollowOptions}. */
  readonly maxReconnectWait?: FollowOptions['maxReconnectWait']
}

/** Returns true if `isDone` returned true, and false if `signal` aborted first. Rejects like {@link follow}. */
export async function watchEvents(client: Client, watch: EventWatch): Promise<boolean> {
  const { timers, signal, readEarlier, onEvent, isDone, onState, maxReconnectWait } = watch
  const ended = new AbortController()
  let done = false
  async function check(): Promise<void> {
    done ||= await isDone()
    if (done) ended.abort()
  }
  const messages = follow({
    connect: (lastEventId, aborted) => client.control.stream({ lastEventId, signal: aborted }),
    timers,
    signal: AbortSignal.any([signal, ended.signal]),
    onOpen: async () => {
      for (const event of (await readEarlier?.()) ?? []) onEvent(event)
      await check()
    },
    ...omitUndefined({ onState, maxReconnectWait }),
  })
  for await (const { event, data } of messages) {
    if (event === 'event') onEvent((JSON.parse(data) as { event: EventView }).event)
    await check()
  }
  return done
}
