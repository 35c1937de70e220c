// Finds the order of calls that overlap. The proxy may record the end of a call late. Another call may then show that
// the service finished the first call earlier.
import { groupBy } from '../../domain/group-by.ts'
import { asObject, asText } from '../../domain/json-values.ts'
import { creationsById } from './change-periods.ts'
import { isStream, isStreamRequest, type RecordedCall } from './recorded-call.ts'
import { type ReplacedStream, replacedStreams } from './replaced-streams.ts'
import { recordedKey } from './replay-shops.ts'
import { type ObservedMessage, observedMessages } from './stream-messages.ts'

/** The service finished the earlier call before the start or the end of the later one. */
export interface Precedence {
  readonly earlier: RecordedCall
  readonly later: RecordedCall
  readonly before: 'start' | 'end'
}

export function precedencesIn(
  calls: readonly RecordedCall[],
  replaced: readonly ReplacedStream[] = replacedStreams(calls),
): Precedence[] {
  const streams = groupBy(calls.filter(isStreamRequest), (call) => recordedKey(call)?.hint)
  return [
    ...creationsBeforeRepeats(calls),
    ...[...streams.values()].flatMap((ofKey) => [...closedBeforeNext(ofKey), ...refusedWhileOpen(ofKey)]),
    ...callsReportedIn(calls, replaced),
    ...readsAndChanges(calls),
  ]
}

/** A recording rounds the start of a call down to 1 ms, so the computed end may be up to 1 ms early. */
const RESOLUTION = 1

/** Returns the end of each call, for sorting. Ends within the resolution keep the order of the recording. */
export function effectiveEnds(
  calls: readonly RecordedCall[],
  precedences: readonly Precedence[],
): ReadonlyMap<RecordedCall, number> {
  const ends = new Map<RecordedCall, number>()
  let last = Number.NEGATIVE_INFINITY
  for (const call of calls.toSorted((a, b) => a.number - b.number)) {
    const end = call.endedAt < last && last - call.endedAt < RESOLUTION ? last : call.endedAt
    if (!isStream(call)) last = Math.max(last, end)
    ends.set(call, end)
  }
  for (const { earlier, later, before } of precedences) {
    const limit = before === 'start' ? later.startedAt : (ends.get(later) ?? later.endedAt)
    ends.set(earlier, Math.min(ends.get(earlier) ?? earlier.endedAt, limit))
  }
  return ends
}

/** If two overlapping calls have the same Idempotency-Key or object, the call that created something came first. */
function creationsBeforeRepeats(calls: readonly RecordedCall[]): Precedence[] {
  const bySubject = groupBy(calls.toSorted(byEnd), ({ key, objectId, operation }) =>
    operation.startsWith('POST ') ? (key ?? objectId) : key,
  )
  return [...bySubject.values()].flatMap((group) =>
    group.flatMap((creation, at): Precedence[] => {
      if (!hasCreated(creation)) return []
      const repeat = group.slice(0, at).find((other) => !hasCreated(other) && overlaps(other, creation))
      return repeat === undefined ? [] : [{ earlier: creation, later: repeat, before: 'end' }]
    }),
  )
}

/** A busy proxy may notice up to this many ms later that a client has closed its stream. */
const LATE_NOTICE = 2000

/**
 * If a client closed a stream and the service accepted the next one of the API key, the first one was closed before.
 */
function closedBeforeNext(ofKey: readonly RecordedCall[]): Precedence[] {
  const streams = ofKey.filter(isStream).toSorted((a, b) => a.startedAt - b.startedAt)
  return streams.flatMap((stream, at): Precedence[] => {
    const next = streams[at + 1]
    if (next === undefined || !stream.isClosedByClient || !overlaps(stream, next)) return []
    if (stream.endedAt - next.startedAt > LATE_NOTICE) return []
    return [{ earlier: stream, later: next, before: 'start' }]
  })
}

/** If the service refused a stream, another stream of the same API key was open. */
function refusedWhileOpen(ofKey: readonly RecordedCall[]): Precedence[] {
  return ofKey.flatMap((refused): Precedence[] => {
    if (refused.status !== 409) return []
    const open = ofKey.findLast((other) => isStream(other) && overlaps(other, refused))
    return open === undefined ? [] : [{ earlier: refused, later: open, before: 'end' }]
  })
}

/**
 * If a stream contains the message about a creation or a cancellation, the service finished the call before the stream
 * ended. If the next stream replaced it and does not contain the message, the service finished the call before the next
 * stream started.
 */
function callsReportedIn(calls: readonly RecordedCall[], replaced: readonly ReplacedStream[]): Precedence[] {
  const creations = creationsById(calls)
  const cancellations = new Map(calls.filter(isCancellation).map((call) => [call.objectId, call]))
  const reported = ({ kind, payload, id }: ObservedMessage) =>
    kind.endsWith('.created')
      ? creations.get(id)
      : payload['status'] === 'cancelled'
        ? cancellations.get(id)
        : undefined
  const precedences = (messages: readonly ObservedMessage[], later: RecordedCall, before: Precedence['before']) =>
    messages.flatMap((message): Precedence[] => {
      const earlier = reported(message)
      return earlier === undefined ? [] : [{ earlier, later, before }]
    })
  return [
    ...calls.filter(isStream).flatMap((call) => precedences(observedMessages(call.response?.text), call, 'end')),
    ...replaced.flatMap(({ messages, next }) => precedences(messages, next, 'start')),
  ]
}

/**
 * A read that shows the change comes after it. A read that does not show the change comes before it. The calls
 * overlap, so the service may have finished the earlier one before or after the start of the later one. It did so
 * before the later one ended: `before: 'end'`.
 */
function readsAndChanges(calls: readonly RecordedCall[]): Precedence[] {
  const reads = groupBy(calls, ({ operation, shows }) => (operation.startsWith('GET ') ? shows?.id : undefined))
  const pairs = calls
    .filter(isChange)
    .flatMap((change) =>
      (reads.get(change.objectId ?? '') ?? [])
        .filter((read) => overlaps(read, change))
        .map((read) => ({ change, read, isShown: shows(read, change) })),
    )
  const [after, before] = [pairs.filter(({ isShown }) => isShown), pairs.filter(({ isShown }) => !isShown)]
  return [
    ...after.map(({ change, read }): Precedence => ({ earlier: change, later: read, before: 'end' })),
    ...before.map(({ change, read }): Precedence => ({ earlier: read, later: change, before: 'end' })),
  ]
}

function isChange(call: RecordedCall): boolean {
  return (call.operation.endsWith('/refund') && call.status === 201) || isCancellation(call)
}

function isCancellation({ operation, status }: RecordedCall): boolean {
  return operation.endsWith('/cancel') && status === 200
}

function shows(read: RecordedCall, change: RecordedCall): boolean {
  if (change.operation.endsWith('/cancel')) return read.shows?.status === 'cancelled'
  const id = asText(asObject(change.response?.json)?.['id'])
  const refunds = read.shows?.object?.['refunds']
  return Array.isArray(refunds) && refunds.some((refund) => asText(asObject(refund)?.['id']) === id)
}

const overlaps = (a: RecordedCall, b: RecordedCall) => a.startedAt <= b.endedAt && b.startedAt <= a.endedAt
const byEnd = (a: RecordedCall, b: RecordedCall) => a.endedAt - b.endedAt
const hasCreated = ({ status }: RecordedCall) => status === 201
