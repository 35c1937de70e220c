// Finds out from the recording at what time each object changed: from stream messages, and from the times in responses.

import { isSuccess } from '../../domain/http-response.ts'
import { asText } from '../../domain/json-values.ts'
import type { KnownObjects } from './object-states.ts'
import type { ObservedState, RecordedCall } from './recorded-call.ts'
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
  return observedMessages(stream.response?.text).flatMap((message): RecordedChange[] => {
    const state = changeIn(message, known)
    if (state === undefined) return []
    const at = Number.isNaN(message.at) ? end : Math.min(Math.max(message.at, start), end)
    return [{ state, time: within(stream, clock.recordedAt(at)), clock: at }]
  })
}

const within = ({ startedAt, endedAt }: RecordedCall, time: number) => Math.min(Math.max(time, startedAt), endedAt)

/** Returns the change that a message reports. Cancellations and refunds are ignored, because the replayed calls cause them. */
function changeIn({ kind, payload }: ObservedMessage, known: KnownObjects): ObservedState | undefined {
  const [id, status] = [asText(payload['id']), asText(payload['status'])]
  if (!kind.endsWith('.status_changed') || id === undefined || status === undefined) return undefined
  if (status === 'pending' || status === 'cancelled' || status === 'refunded') return undefined
  return { id, type: known.get(id)?.type ?? 'payment', status }
}

/**
 * If a call shows a final status that is older than this many ms, the payment is finished at the recorded time, and not just
 * before the call.
 */
const LATE = 1000

/**
 * Returns the change in which the payment that the call shows was paid or declined. This may be long before the call. If the
 * sandbox waited for the call, the bank session would expire.
 */
export function finalChange(call: RecordedCall, clock: ServiceClock): RecordedChange[] {
  const { shows, endedAt } = call
  if (!isSuccess(call.status) || shows?.type !== 'payment' || !PAID_OR_DECLINED.has(shows.status)) return []
  const { id, object } = shows
  const at = Date.parse(asText(object?.['captured_at']) ?? asText(object?.['finalized_at']) ?? '')
  if (!(at < clock.timeAt(endedAt) - LATE)) return []
  const status = shows.status === 'failed' ? 'failed' : 'succeeded'
  return [{ state: { id, type: 'payment', status }, time: Math.min(clock.recordedAt(at), endedAt), clock: at }]
}

const PAID_OR_DECLINED: ReadonlySet<string> = new Set(['succeeded', 'refunded', 'failed'])
