// This machine, by name and by address.

/** `localhost`, names under it and every address of this machine's own; IPv6 with or without brackets. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname).toLowerCase()
  if (isLocalhost(host) || host === '::1') return true
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) || /^::ffff:(127\.|7f)/.test(host)
}

/** A name that is looked up nowhere (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname)
}

interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/**
 * Answers for {@link isLocalhost} names as `dns.lookup` does, whatever the hosts file says: always both addresses, for a
 * server often listens on one of them only.
 */
export function lookupLocalhost(
  { all }: { readonly all?: boolean | undefined },
  done: (error: null, address: string | Address[], family?: number) => void,
): void {
  if (all !== true) done(null, '127.0.0.1', 4)
  else
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
}

/** `::1` of `[::1]`, as urls have it; every other host as it is. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
