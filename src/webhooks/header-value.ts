// Spec 6.1: finds a header in the request headers of any framework.

/**
 * A Fetch `Headers`, Node's `req.headers` or `req.rawHeaders`, a list of pairs, or only the value of `X-PSP-Signature`.
 * With `undefined` or `null` the header is missing.
 */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }
  | readonly (readonly [name: string, value: string])[]
  | readonly string[]
  | string
  | undefined
  | null

type HeaderFields = Exclude<HeadersLike, string | undefined | null>

/**
 * Returns the values of the header, joined by `, `, or `undefined` if it is missing. The name is case-insensitive.
 * @throws TypeError if `headers` are not headers
 */
export function findHeaderValue(headers: HeadersLike, name: string): string | undefined {
  if (headers === undefined || headers === null) return undefined
  if (typeof headers === 'string') return headers
  if (typeof headers !== 'object') throw new TypeError(`headers: ${EXPECTED_HEADERS}, got ${String(headers)}.`)
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const values = [...toPairs(headers)].flatMap(([key, value]) =>
    key.toLowerCase() === name.toLowerCase() ? value : [],
  )
  return values.length === 0 ? undefined : values.join(', ')
}

export const EXPECTED_HEADERS = 'expected the headers of the request, or the value of X-PSP-Signature'

function isFetchHeaders(headers: HeaderFields): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function'
}

function* toPairs(
  headers: Exclude<HeaderFields, { get(name: string): string | null }>,
): Generator<readonly [string, string | readonly string[]]> {
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) yield [name, value]
    return
  }
  const list: Iterable<string | readonly [string, string]> = headers
  let name: string | undefined
  for (const entry of list) {
    if (typeof entry !== 'string') yield entry
    else if (name === undefined) name = entry
    else {
      yield [name, entry]
      name = undefined
    }
  }
}
