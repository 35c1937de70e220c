// Sends recorded events again: at once, or with the pauses of the recording.
import { groupBy } from '../domain/group-by.ts'
import { pause } from '../domain/promises.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

export interface ReplayItem {
  readonly id: string
  readonly event_id: string
  readonly event: string
  /** Events with the same key are sent one after another, unless the pauses of the recording are kept. */
  readonly orderingKey: string
  /** The time of receipt, in ms since the Unix epoch. */
  readonly at: number
  readonly body: string
}

/** `instant`, or how many times faster than recorded. */
export type ReplayPace = 'instant' | number

export interface ReplayOptions {
  readonly pace: ReplayPace
  readonly systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>
  readonly signal: AbortSignal
  /** Sends one event. It must not reject. */
  send(item: ReplayItem): Promise<void>
}

/** Concurrent requests of an instant replay. */
const CONCURRENCY = 16

/** Resolves when every event is sent, or when the signal is aborted and no request is in flight. */
export async function replayEvents(items: readonly ReplayItem[], options: ReplayOptions): Promise<void> {
  const sorted = items.toSorted((a, b) => a.at - b.at)
  await (options.pace === 'instant' ? sendAtOnce(sorted, options) : sendAsRecorded(sorted, options.pace, options))
}

/** Returns how long a replay with the pauses of the recording takes, in ms. */
export function replayDuration(items: readonly ReplayItem[], speed: number): number {
  const times = items.map(({ at }) => at)
  return items.length === 0 ? 0 : (times.reduce(latest) - times.reduce(earliest)) / speed
}

const latest = (a: number, b: number) => Math.max(a, b)
const earliest = (a: number, b: number) => Math.min(a, b)

async function sendAtOnce(items: readonly ReplayItem[], { send, signal }: ReplayOptions): Promise<void> {
  const waiting = groupBy(items, ({ orderingKey }) => orderingKey).values()
  const worker = async () => {
    for (const queue of waiting) {
      for (const item of queue) {
        if (signal.aborted) return
        await send(item)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

/** Requests may overlap, as they may have done in the recording. */
async function sendAsRecorded(items: readonly ReplayItem[], speed: number, options: ReplayOptions): Promise<void> {
  const { systemClock, signal, send } = options
  const began = systemClock.monotonic()
  const first = items[0]?.at ?? 0
  const inFlight = new Set<Promise<void>>()
  for (const item of items) {
    const wait = (item.at - first) / speed - (systemClock.monotonic() - began)
    if (wait > 0) await pause(wait, systemClock, signal)
    if (signal.aborted) break
    const sent = send(item).finally(() => inFlight.delete(sent))
    inFlight.add(sent)
  }
  await Promise.all(inFlight)
}
