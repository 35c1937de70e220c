// Spec 6.1, Delivery: truncates the response bodies of earlier attempts.
import type { Attempt, RecordedBody } from './delivery.ts'

/** Maximum characters of an earlier response body. An error page names the error near its beginning. */
export const MAX_EARLIER_BODY = 2048

/**
 * Appends an attempt. Only the newest response keeps its whole recorded body. Otherwise nine failed attempts with large error
 * pages would take half a megabyte per delivery.
 */
export function withAttempt(attempts: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const last = attempts.at(-1)
  const body = last?.response_body
  if (last === undefined || body === undefined || bodyLength(body) <= MAX_EARLIER_BODY) return [...attempts, attempt]
  return [...attempts.slice(0, -1), { ...last, response_body: shortened(body) }, attempt]
}

/** Truncates the body of a response that is not the newest, or of a copy whose response does not count. */
export function truncateResponse(body: RecordedBody): RecordedBody {
  return bodyLength(body) <= MAX_EARLIER_BODY ? body : shortened(body)
}

function bodyLength({ text, b64 }: RecordedBody): number {
  return (text ?? b64 ?? '').length
}

function shortened({ text, b64, ...more }: RecordedBody): RecordedBody {
  if (text !== undefined) return { ...more, text: wholeCharacters(text.slice(0, MAX_EARLIER_BODY)), truncated: true }
  // Four characters of base64 encode three bytes, so the text is cut between bytes.
  return { ...more, b64: (b64 ?? '').slice(0, MAX_EARLIER_BODY), truncated: true }
}

/** Removes half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
