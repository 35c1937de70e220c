// Implements the step `wait`, which waits for an event.
import type { Client } from '../client/client.ts'
import type { EventView } from '../client/control-types.ts'
import { ApiError } from '../client/errors.ts'
import { parseDuration } from '../domain/time.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Fields } from './operation.ts'
import { getPath } from './references.ts'

export interface WaitPorts {
  readonly systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>
}

const DEFAULT_TIMEOUT = 10_000
const POLL_INTERVAL = 25

/**
 * Waits for an event by the fields `{event, where: {order_id}, timeout: '10s'}`. An earlier event counts too.
 * Rejects with the API error `timed_out`.
 */
export async function waitForEvent(client: Client, fields: Fields, { systemClock }: WaitPorts): Promise<EventView> {
  const { event, where = {}, timeout } = fields
  const limit = parseDuration(String(timeout ?? '')) ?? DEFAULT_TIMEOUT
  const deadline = systemClock.monotonic() + limit
  for (;;) {
    const { items } = await client.control.events.list({ event: String(event), limit: 1000 })
    const found = items.find((candidate) => matchesEvent(candidate, where as Fields))
    if (found !== undefined) return found
    if (systemClock.monotonic() >= deadline)
      throw new ApiError(408, 'timed_out', `${String(event)} did not happen within ${limit} ms.`)
    await new Promise<void>((resolve) => void systemClock.setTimeout(resolve, POLL_INTERVAL))
  }
}

function matchesEvent(event: EventView, where: Fields): boolean {
  return Object.entries(where).every(([path, expected]) => {
    const got = getPath(event.data, path) ?? getPath(event, path)
    return got !== undefined && String(got) === String(expected)
  })
}
