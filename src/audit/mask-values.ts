// Masks what differs between two orders with the same history: times, versions and generated ids.
import type { SentId, SentIds } from './sent-ids.ts'

/** Placeholders for times, for values that change with each write, and for counts of messages. */
export const TIME = '{time}'
export const VERSION = '{version}'
export const DELIVERIES = '{deliveries}'

const TIMES = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?( ?(Z|UTC|[+-]\d\d:?\d\d))?/g,
  // HTTP dates, and JavaScript's string form of a Date.
  /(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (\d\d? [A-Z][a-z]{2}|[A-Z][a-z]{2} \d\d?) \d{4} \d\d:\d\d:\d\d( GMT)?([+-]\d{4})?( \([^)]*\))?/g,
]
/** Milliseconds since the epoch, from 2017 to 2033. No sample payment has such an amount. */
const MILLISECONDS = /(?<!\d)1[5-9]\d{11}(?!\d)/g
const TIME_KEY =
  /(^|[._-])(at|on|ts|date|time|timestamp|created|updated|modified|expires|expiry|since|until|seen|epoch|unix)(_?(ms|s))?$/i
const TIME_CAMEL_KEY = /[a-z](At|On|Date|Time|Timestamp|Since|Until|Seen)(Ms)?$/
const SPAN_KEY = /(^|[._-])(took|elapsed|duration|latency|age|ttl|uptime|expires_in)(_?(ms|s|seconds))?$/i
const VERSION_KEY =
  /(^|[._-])(version|ver|revision|rev|etag|seq|sequence|serial|checksum|hash|digest|nonce|xid|xmin|lock_version)$|^_+v$/i
const VERSION_CAMEL_KEY = /[a-z](Version|Revision|Etag|ETag|Seq|Checksum|Hash|Digest)$/
const DELIVERIES_KEY =
  /(^|[._-])((webhooks?|hooks?|deliver(y|ies)|requests?|hits?|calls?|retries|duplicates?)(_?(count|received|seen|total|rejected|refused))?|rejected|refused|invalid_signatures?)$/i
const DELIVERIES_CAMEL_KEY = /[a-z](Webhooks|Hooks|Deliveries|Requests|Hits|Rejected)(Count)?$/
const SEQUENTIAL_NUMBER_KEY = /(^|[._-])(invoice|receipt|document|order|row|line|entry)_?(number|no|nr)$/i
const ID_KEY = /(^|[._-])(id|uuid|guid|ulid)$|[a-z](Id|UUID|Uuid|Guid)$/
/** Counters and lists of tries and messages. Their values may depend on the order of delivery. */
const HISTORY_KEY =
  /(^|[._-])(tries|try_count|attempts?|attempt_count|history|log|logs|events?|event_count|audit|journal|timeline|messages|notes?|failures|failed_(count|tries|attempts))$/i
const HISTORY_CAMEL_KEY = /[a-z](Tries|TryCount|Attempts?|AttemptCount|History|Log|Events|EventCount|Failures)$/
/** Fields about the last message or the last try. */
const LAST_KEY =
  /(^|[._-])(last|latest|previous|prev|reason|message|error|failure_code|fail_reason|seen_event)([._-]|$)/i
const LAST_CAMEL_KEY = /^(last|latest|previous)[A-Z]|[a-z](Reason|Message|Error)$/

/** A UUID, a ULID, an ObjectId or a hash: generated, and not written by a person. */
const GENERATED_ID =
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|(?<![0-9A-Za-z])(?:[0-9a-f]{16,}|[0-7][0-9A-HJKMNP-TV-Z]{25})(?![0-9A-Za-z])/gi

/** Returns the masked form of a value, by its key. */
export function maskedLeaf(key: string, leaf: string | number, sentIds: SentIds): string | number {
  if (VERSION_KEY.test(key) || VERSION_CAMEL_KEY.test(key) || SEQUENTIAL_NUMBER_KEY.test(key)) return VERSION
  if (typeof leaf === 'string') return isTime(key, Number(leaf)) ? TIME : maskedText(leaf, sentIds, 'value')
  if (isTime(key, leaf)) return TIME
  if (DELIVERIES_KEY.test(key) || DELIVERIES_CAMEL_KEY.test(key)) return DELIVERIES
  return sentIds.find(({ id }) => id.length >= 4 && id === String(leaf))?.value ?? leaf
}

/** Returns the masked form of a key. A key that is an id or a time identifies an entry, not a field. */
export function maskedKey(key: string, sentIds: SentIds): string {
  return maskGeneratedIds(maskedText(key, sentIds, 'key'))
}

/** Replaces each placeholder in a path by `{}`, so that paths of two orders can be compared. */
export function generalPath(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}')
}

export function isIdKey(key: string): boolean {
  return ID_KEY.test(key)
}

export function isHistoryKey(key: string): boolean {
  return HISTORY_KEY.test(key) || HISTORY_CAMEL_KEY.test(key)
}

export function isLastKey(key: string): boolean {
  return LAST_KEY.test(key) || LAST_CAMEL_KEY.test(key)
}

export function maskGeneratedIds(text: string): string {
  return text.replace(GENERATED_ID, '{generated id}')
}

/** Returns whether the value is a duration or a time. A time in ms from 2017 to 2033 needs no key that names a time. */
function isTime(key: string, value: number): boolean {
  if (SPAN_KEY.test(key)) return Number.isFinite(value)
  if (value >= 15e11 && value < 2e12 && Number.isInteger(value)) return true
  if (!TIME_KEY.test(key) && !TIME_CAMEL_KEY.test(key)) return false
  return (value > 9e8 && value < 5e9) || (value > 9e11 && value < 5e12)
}

function maskedText(text: string, sentIds: SentIds, as: keyof Pick<SentId, 'value' | 'key'>): string {
  let out = TIMES.reduce((left, times) => left.replace(times, TIME), text)
  for (const sentId of sentIds) {
    if (out.length < sentId.id.length) continue
    if (out === sentId.id) return sentId[as]
    out = sentId.replaceIn(out, sentId[as])
  }
  return out.replace(MILLISECONDS, TIME)
}
