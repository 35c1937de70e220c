import type { Difference } from './difference.ts'
import type { HeaderMap } from './recorded-call.ts'

/** Headers whose values clients rely on. Of other headers, only the presence is compared. */
const COMPARED_VALUES: ReadonlySet<string> = new Set(['content-type', 'allow', 'www-authenticate', 'location'])

/** Hop-by-hop, caching, proxy and security headers, which differ between any two installations. */
const IGNORED =
  /^(date|cache-control|server|via|age|connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|vary|etag|last-modified|expires|pragma|alt-svc|strict-transport-security|set-cookie|x-powered-by|x-request-id|request-id|x-correlation-id|traceparent|x-runtime|x-cache.*|cf-.*|x-amz.*|x-envoy.*|x-served-by|x-timer|nel|report-to|server-timing|x-content-type-options|x-frame-options|x-xss-protection|referrer-policy|content-security-policy|permissions-policy|access-control-.*|cross-origin-.*|x-psp-.*|x-accel-.*)$/

export function compareHeaders(
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
