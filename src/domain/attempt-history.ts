// Spec 6.1, Delivery: what stays of the answers to earlier attempts.
import type { Attempt, RecordedBody } from './delivery.ts'

/** Characters of an earlier answer's body: an error page says what is wrong at its beginning. */
export const MAX_EARLIER_BODY = 2048

/**
 * The attempts with a new one behind them. Only the newest answer keeps all that was recorded of its body: a receiver that fails
 * with a large page at each of nine attempts would take half a megabyte a delivery.
 */
export function withAttempt(attempts: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const last = attempts.at(-1)
  const body = last?.response_body
  if (last === undefined || body === undefined || length(body) <= MAX_EARLIER_BODY) return [...attempts, attempt]
  return [...attempts.slice(0, -1), { ...last, response_body: shortened(body) }, attempt]
}

/** An answer's body as it is kept beside a newer one, or beside that of the copy that counts. */
export function truncateResponse(body: RecordedBody): RecordedBody {
  return length(body) <= MAX_EARLIER_BODY ? body : shortened(body)
}

function length({ text, b64 }: RecordedBody): number {
  return (text ?? b64 ?? '').length
}

function shortened({ text, b64, ...more }: RecordedBody): RecordedBody {
  if (text !== undefined) return { ...more, text: wholeCharacters(text.slice(0, MAX_EARLIER_BODY)), truncated: true }
  // Groups of four stand for three bytes each.
  return { ...more, b64: (b64 ?? '').slice(0, MAX_EARLIER_BODY), truncated: true }
}

/** Without the first half of a pair that was cut apart. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
