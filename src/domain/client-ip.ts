// Spec 5.4: the client address for the allow-list, also behind proxies.

/**
 * Returns the address of the socket or, with `hops` trusted proxies, the `hops`-th entry of `X-Forwarded-For` from the right.
 * Entries further left are written by the client and not trusted. A shorter list gives its first entry. Without a list the
 * address of the socket is used.
 */
export function clientIp(
  socketAddress: string | undefined,
  xForwardedFor: string | null | undefined,
  hops: number,
): string | undefined {
  if (hops <= 0) return socketAddress
  const chain = (xForwardedFor ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const entry = chain.at(-hops) ?? chain[0]
  return entry === undefined ? socketAddress : withoutPort(entry)
}

/** Some proxies write `203.0.113.7:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](:\d+)?$/.exec(entry)
  if (bracketed?.[1] !== undefined) return bracketed[1]
  return /^[\d.]+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(':')) : entry
}
