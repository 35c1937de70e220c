// Reads from the recording when objects changed: from the messages of streams, and from the times in responses.

import { isSuccess } from '../../domain/http-response.ts'
import type { KnownObjects } from './object-states.ts'
import { asText, type ObservedState, type RecordedCall } from './recorded-call.ts'
import type { ServiceClock } from './service-clock.ts'
import { type ObservedMessage, observedMessages } from './stream-messages.ts'

export interface RecordedChange {
  readonly state: ObservedState
  /** ms by the clock of the recording machine. */
  readonly time: number
  /** ms by the clock of the service. */
  readonly clock: number
}

/** Returns the changes that the messages of a stream report, in their order. */
export function changesIn(stream: RecordedCall, known: KnownObjects, clock: ServiceClock): RecordedChange[] {
  const [start, end] = [clock.timeAt(stream.startedAt), clock.timeAt(stream.endedAt)]
  return observedMessages(stream.response?.text ?? '').flatMap((message): RecordedChange[] => {
    const state = changeIn(message, known)
    if (state === undefined) return []
    const at = Number.isNaN(message.at) ? end : Math.min(Math.max(message.at, start), end)
    return [{ state, time: within(stream, clock.recordedAt(at)), clock: at }]
  })
}

const within = ({ startedAt, endedAt }: RecordedCall, time: number) => Math.min(Math.max(time, startedAt), endedAt)

/** Returns the change that a message reports. Cancellations and refunds are ignored: recorded calls make them. */
function changeIn({ kind, payload }: ObservedMessage, known: KnownObjects): ObservedState | undefined {
  const [id, status] = [asText(payload['id']), asText(payload['status'])]
  if (!kind.endsWith('.status_changed') || id === undefined || status === undefined) return undefined
  if (status === 'pending' || status === 'cancelled' || status === 'refunded') return undefined
  return { id, type: known.get(id)?.type ?? 'payment', status }
}

/** A payment is brought to its end at the recorded time if a call shows it more than this many ms later. */
const LATE = 1000

/**
 * Returns when the payment that the call shows was paid or declined. It may have been long before the call, and the
 * sandbox would expire its bank session by then.
 */
export function finalChange(call: RecordedCall, clock: ServiceClock): RecordedChange[] {
  const { shows, endedAt } = call
  if (!isSuccess(call.status) || shows?.type !== 'payment' || !DECIDED.has(shows.status)) return []
  const { id, object } = shows
  const at = Date.parse(asText(object?.['captured_at']) ?? asText(object?.['finalized_at']) ?? '')
  if (!(at < clock.timeAt(endedAt) - LATE)) return []
  const status = shows.status === 'failed' ? 'failed' : 'succeeded'
  return [{ state: { id, type: 'payment', status }, time: Math.min(clock.recordedAt(at), endedAt), clock: at }]
}

const DECIDED: ReadonlySet<string> = new Set(['succeeded', 'refunded', 'failed'])
