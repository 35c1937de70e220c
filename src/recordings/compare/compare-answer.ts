// Compares one response: its status and error code, its headers and its body.
import { compareHeaders } from './compare-headers.ts'
import { compareJson } from './compare-json.ts'
import type { Difference } from './difference.ts'
import { asText, type JsonObject, type RecordedAnswer, type RecordedCall } from './recorded-call.ts'

/** @param elapsed ms of the recording from the creation of an object to this response */
export function compareAnswer(
  call: RecordedCall,
  was: RecordedAnswer,
  is: RecordedAnswer | undefined,
  elapsed: (object: JsonObject) => number,
): Difference[] {
  const { operation, number: entry } = call
  const base = { operation, entry }
  if (is === undefined) {
    return [{ ...base, kind: 'no_response', at: '', recorded: label(was), sandbox: 'no response' }]
  }
  if (was.status !== is.status) {
    const cause = was.code === is.code ? '' : causeOf(was)
    return [
      { ...base, kind: 'status', at: '', recorded: label(was), sandbox: label(is), cause, detail: { was, is, call } },
    ]
  }
  const found = compareHeaders(was.headers, is.headers, base)
  if (was.code !== is.code) {
    found.push({ ...base, kind: 'error_code', at: 'error.code', recorded: String(was.code), sandbox: String(is.code) })
  }
  const hasBodies = was.text !== undefined && is.text !== undefined && call.method !== 'HEAD'
  if (!hasBodies || (was.json === undefined && is.json === undefined)) return found
  return [...found, ...compareJson(was.json ?? null, is.json ?? null, { ...base, elapsed })]
}

function label({ status, code }: RecordedAnswer): string {
  return code === undefined ? String(status) : `${status} ${code}`
}

/** The message without its values. */
function causeOf({ json }: RecordedAnswer): string {
  const message = asText((json as { error?: { message?: unknown } } | undefined)?.error?.message) ?? ''
  return message.replace(/"[^"]*"|\d+/g, '…').slice(0, 80)
}
