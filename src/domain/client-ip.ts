// Spec 5.4: which address the allow-list looks at when proxies stand in front of the server.

/**
 * The caller's address: the socket's, or with `hops` trusted proxies the `hops`-th entry of `X-Forwarded-For` from the
 * right. What stands further left was written by the caller and proves nothing. A shorter list gives its first entry,
 * no list the socket's address.
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
