// Compares one response: its status and error code, its headers and its body.
import { asText, MAX_DEPTH } from '../../domain/json-values.ts'
import { compareJson, type JsonContext } from './compare-json.ts'
import type { Difference } from './difference.ts'
import type { CallResponse, HeaderMap, RecordedCall } from './recorded-call.ts'

/**
 * @param sessionOpeningTolerance returns by how much the opening of an object's bank session may differ from the
 * recorded time
 */
export function compareResponse(
  call: RecordedCall,
  recorded: CallResponse,
  sandbox: CallResponse | undefined,
  sessionOpeningTolerance: JsonContext['sessionOpeningTolerance'],
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
  return [...found, ...compareJson(recorded.json, sandbox.json, { ...base, sessionOpeningTolerance })]
}

/** Headers whose values clients rely on. Of other headers, only the presence is compared. */
const COMPARED_VALUES: ReadonlySet<string> = new Set(['content-type', 'allow', 'www-authenticate', 'location'])

/** Hop-by-hop, caching, proxy and security headers, which differ between any two installations. */
const IGNORED =
  /^(date|cache-control|server|via|age|connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|vary|etag|last-modified|expires|pragma|alt-svc|strict-transport-security|set-cookie|x-powered-by|x-request-id|request-id|x-correlation-id|traceparent|x-runtime|x-cache.*|cf-.*|x-amz.*|x-envoy.*|x-served-by|x-timer|nel|report-to|server-timing|x-content-type-options|x-frame-options|x-xss-protection|referrer-policy|content-security-policy|permissions-policy|access-control-.*|cross-origin-.*|x-psp-.*|x-accel-.*)$/

function compareHeaders(
  recorded: HeaderMap,
  sandbox: HeaderMap,
  { operation, entry }: { readonly operation: string; readonly entry: number },
): Difference[] {
  const names = [...new Set([...recorded.keys(), ...sandbox.keys()])].filter((name) => !IGNORED.test(name))
  return names.flatMap((name) => {
    const [recordedValue, sandboxValue] = [recorded.get(name), sandbox.get(name)]
    const isSame =
      recordedValue === undefined || sandboxValue === undefined
        ? recordedValue === sandboxValue
        : !COMPARED_VALUES.has(name) || plain(recordedValue) === plain(sandboxValue)
    if (isSame) return []
    const values = { recorded: recordedValue ?? 'absent', sandbox: sandboxValue ?? 'absent' }
    return [{ kind: 'header' as const, operation, at: name, ...values, entry }]
  })
}

/** JSON is always UTF-8, with or without a `charset`. */
const plain = (value: string) =>
  value
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^(application\/json);.*/, '$1')

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
