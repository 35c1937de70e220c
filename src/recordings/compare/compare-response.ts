// Compares one response: its status and error code, its headers and its body.
import { MAX_DEPTH } from '../../domain/json-depth.ts'
import { compareHeaders } from './compare-headers.ts'
import { compareJson, type JsonContext } from './compare-json.ts'
import type { Difference } from './difference.ts'
import { asText, type CallResponse, type RecordedCall } from './recorded-call.ts'

/** @param openingRange returns by how much the opening of an object's bank session may differ from the recorded time */
export function compareResponse(
  call: RecordedCall,
  recorded: CallResponse,
  sandbox: CallResponse | undefined,
  openingRange: JsonContext['openingRange'],
): Difference[] {
  const { operation, number: entry } = call
  const base = { operation, entry }
  if (sandbox === undefined) {
    return [{ ...base, kind: 'no_response', at: '', recorded: label(recorded), sandbox: 'no response' }]
  }
  if (recorded.status !== sandbox.status) {
    const cause = recorded.code === sandbox.code ? '' : causeOf(recorded)
    return [
      {
        ...base,
        kind: 'status',
        at: '',
        recorded: label(recorded),
        sandbox: label(sandbox),
        cause,
        detail: { recorded, sandbox, call },
      },
    ]
  }
  const found = compareHeaders(recorded.headers, sandbox.headers, base)
  if (recorded.text !== undefined && recorded.code !== sandbox.code) {
    found.push({
      ...base,
      kind: 'error_code',
      at: 'error.code',
      recorded: String(recorded.code),
      sandbox: String(sandbox.code),
    })
  }
  const hasBodies = recorded.text !== undefined && sandbox.text !== undefined && call.method !== 'HEAD'
  if (!hasBodies || (recorded.json === undefined && sandbox.json === undefined)) return found
  if (recorded.json === undefined || sandbox.json === undefined) {
    return [...found, { ...base, kind: 'type', at: '', recorded: bodyKind(recorded), sandbox: bodyKind(sandbox) }]
  }
  return [...found, ...compareJson(recorded.json, sandbox.json, { ...base, openingRange })]
}

function bodyKind({ json, text = '' }: CallResponse): string {
  if (json !== undefined) return 'JSON'
  if (text === '') return 'no body'
  try {
    JSON.parse(text)
    return `JSON of more than ${MAX_DEPTH} levels`
  } catch {
    return 'text that is not JSON'
  }
}

function label({ status, code }: CallResponse): string {
  return code === undefined ? String(status) : `${status} ${code}`
}

/** Returns the error message without its values. */
function causeOf({ json }: CallResponse): string {
  const message = asText((json as { error?: { message?: unknown } } | undefined)?.error?.message) ?? ''
  return message.replace(/"[^"]*"|\d+/g, '…').slice(0, 80)
}
