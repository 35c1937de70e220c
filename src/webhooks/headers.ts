// Spec 6.1: finding one header, in whatever form a framework holds them.

/** A Fetch `Headers`, Node's `req.headers` or `req.rawHeaders`, or a list of pairs. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }
  | readonly (readonly [name: string, value: string])[]
  | readonly string[]

/** Every value of the header joined as HTTP joins them; `undefined` when it is not there. The name in any case. */
export function headerValue(headers: HeadersLike, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const values = pairsOf(headers).flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? value : []))
  return values.length === 0 ? undefined : values.join(', ')
}

function isFetchHeaders(headers: HeadersLike): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function'
}

function pairsOf(
  headers: Exclude<HeadersLike, { get(name: string): string | null }>,
): (readonly [string, string | readonly string[]])[] {
  if (!Array.isArray(headers)) {
    return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  }
  const list: readonly (string | readonly [string, string])[] = headers
  const pairs: (readonly [string, string])[] = []
  for (let i = 0; i < list.length; i++) {
    const entry = list[i] ?? ''
    if (typeof entry === 'string') pairs.push([entry, String(list[++i] ?? '')])
    else pairs.push(entry)
  }
  return pairs
}
