// Implements the step `wait`, which waits for an event.
import type { Client } from '../client/client.ts'
import type { EventView } from '../client/control-types.ts'
import { ApiError } from '../client/errors.ts'
import { RECONNECT_DELAYS } from '../client/follow.ts'
import { createEventReader, watchEvents } from '../client/watch-events.ts'
import { quoteText } from '../domain/characters.ts'
import { fieldPairs, matchesEvent } from '../domain/event-match.ts'
import { parseDuration } from '../domain/time.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Fields } from './operation.ts'

export interface WaitPorts {
  readonly systemClock: Pick<SystemClock, 'setTimeout'>
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

const DEFAULT_TIMEOUT = 10_000
/** In ms: as long as the first delay, so there is one reconnect. Its failure means that the server has ended. */
const MAX_RECONNECT_WAIT = RECONNECT_DELAYS[0]

/**
 * Waits for an event, and returns it. An event that has already happened is found too. Rejects with the API error
 * `timed_out`, with `bad_request` for an invalid `timeout`, or with a connection error soon after the server ended.
 * @param fields the fields of the step, such as `{event, where: {order_id}, timeout: '10s'}`
 */
export async function waitForEvent(
  client: Client,
  fields: Fields,
  { systemClock, signal }: WaitPorts,
): Promise<EventView> {
  const { event, where = {}, timeout } = fields
  const pairs = fieldPairs(where as Fields)
  const limit = timeout === undefined ? DEFAULT_TIMEOUT : parseDuration(String(timeout))
  if (limit === undefined) {
    const shown = quoteText(String(timeout))
    throw new ApiError(400, 'bad_request', `timeout: expected a duration such as 10s, got ${shown}.`)
  }
  const late = new AbortController()
  const timer = systemClock.setTimeout(() => late.abort(), limit)
  let found: EventView | undefined
  try {
    await watchEvents(client, {
      timers: systemClock,
      signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
      readEarlier: createEventReader(client, { event: String(event) }),
      onEvent: (candidate) => {
        if (candidate.event === event && matchesEvent(candidate, pairs)) found ??= candidate
      },
      isDone: () => found !== undefined,
      maxReconnectWait: MAX_RECONNECT_WAIT,
    })
  } finally {
    timer.cancel()
  }
  if (found !== undefined) return found
  throw new ApiError(408, 'timed_out', `${String(event)} did not happen within ${limit} ms.`)
}
