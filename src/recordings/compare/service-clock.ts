// The clock of the recorded service, read from the times in its responses. It may differ from the clock of the
// recording machine, and it may be moved during the recording. `Date` headers are not used, because a sandbox sends
// system time in them.
import { isSuccess } from '../../domain/http-response.ts'
import { asObject, asText, type JsonObject } from '../../domain/json-values.ts'
import { END_OF_TIME, isStream, type RecordedCall } from './recorded-call.ts'
import { observedMessages } from './stream-messages.ts'

export interface ServiceClock {
  /** Returns the time of the service at a time of the recording machine. Both are in ms since the Unix epoch. */
  timeAt(recordedAt: number): number
  /** Returns the time of the recording machine at a time of the service. */
  recordedAt(time: number): number
  /**
   * Returns by how many ms the clock may be ahead of {@link timeAt}. The clock may have been moved before a response
   * showed the new time.
   */
  mayBeAheadAt(recordedAt: number): number
}

/** A period with a constant offset: the time of the service is the time of the recording machine plus `offset`. */
interface Segment {
  /** The start of the first call in the segment. */
  readonly since: number
  readonly offset: number
}

/** Limits of the offset, in ms. */
interface Limits {
  readonly least: number
  readonly most: number
}

/** Clocks drift, and services round their times to seconds. */
const SLACK = 1000 // ms

export function serviceClock(calls: readonly RecordedCall[]): ServiceClock {
  const segments = segmentsOf(calls)
  const offsetOf = (index: number) => segments[index]?.offset ?? segments[0]?.offset ?? 0
  const indexAt = (recordedAt: number) => segments.findLastIndex(({ since }) => since <= recordedAt)
  return {
    timeAt: (recordedAt) => recordedAt + offsetOf(indexAt(recordedAt)),
    recordedAt(time) {
      const at = segments.findLastIndex(({ since, offset }) => since + offset <= time)
      // The clock jumped past this time, so it counts as just before the next segment.
      return Math.min(time - offsetOf(at), segments[Math.max(0, at) + 1]?.since ?? Number.POSITIVE_INFINITY)
    },
    mayBeAheadAt(recordedAt) {
      const at = Math.max(0, indexAt(recordedAt))
      return at + 1 < segments.length ? Math.max(0, offsetOf(at + 1) - offsetOf(at)) : 0
    },
  }
}

/** Begins a new segment at each call that no offset of the current segment explains. */
function segmentsOf(calls: readonly RecordedCall[]): Segment[] {
  const segments: Segment[] = []
  let limits: Limits = ANY
  for (const call of calls.toSorted((a, b) => a.endedAt - b.endedAt)) {
    const seen = limitsIn(call)
    if (seen === ANY) continue
    const both = { least: Math.max(seen.least, limits.least), most: Math.min(seen.most, limits.most) }
    const last = segments.at(-1)
    const isExplained = last !== undefined && both.least <= both.most
    limits = isExplained ? both : seen
    // A stream shows its times at its end.
    const since = Math.max(isStream(call) ? call.endedAt : call.startedAt, last?.since ?? Number.NEGATIVE_INFINITY)
    if (isExplained) segments.pop()
    segments.push({ since: isExplained ? last.since : since, offset: likelyOffset(limits) })
  }
  return segments
}

const ANY: Limits = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY }

/** Returns the limits that the response implies. A creation happened during the call, other events before its end. */
function limitsIn(call: RecordedCall): Limits {
  if (!isSuccess(call.status)) return ANY
  const latest = latestTime(call)
  if (latest === undefined) return ANY
  const least = latest - call.endedAt - SLACK
  return { least, most: call.status === 201 ? latest - call.startedAt + SLACK : ANY.most }
}

function latestTime(call: RecordedCall): number | undefined {
  const times = isStream(call)
    ? observedMessages(call.response?.text).map(({ at }) => at)
    : pastTimes(call.shows?.object ?? asObject(call.response?.json))
  // Text that is not a time gives NaN.
  const valid = times.filter((time) => time < END_OF_TIME)
  return valid.length === 0 ? undefined : valid.reduce((a, b) => Math.max(a, b))
}

function pastTimes(object: JsonObject | undefined): number[] {
  return ['created_at', 'captured_at', 'finalized_at'].map((name) => Date.parse(asText(object?.[name]) ?? ''))
}

function likelyOffset({ least, most }: Limits): number {
  if (least <= 0 && most >= 0) return 0
  return most === Number.POSITIVE_INFINITY ? least + SLACK : (least + most) / 2
}
