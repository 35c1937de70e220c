// Names and addresses of this machine.

/** Whether the host is `localhost`, a name under it or a loopback address. IPv6 may have brackets. */
export function isLoopback(hostname: string): boolean {
  const host = bareHost(hostname).toLowerCase()
  if (isLocalhost(host) || host === '::1') return true
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(host) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(host)
}

/** Whether the host is `localhost` or a name under it, which need no DNS (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname)
}

/**
 * Options of a connection to a host that has IPv4 and IPv6 addresses. By default Node waits 250 ms for each address,
 * which is too short on a busy machine.
 */
export const BOTH_FAMILIES = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 } as const

/** Returns options of a connection that tries all addresses of the host. For `localhost`: 127.0.0.1 and ::1. */
export function familyOptions(hostname: string): FamilyOptions {
  if (!isLocalhost(hostname)) return BOTH_FAMILIES
  return { ...BOTH_FAMILIES, lookup: (_host, options, done) => lookupLocalhost(options, done) }
}

type FamilyOptions = typeof BOTH_FAMILIES & { readonly lookup?: LocalhostLookup }
type LocalhostLookup = (host: string, ...rest: Parameters<typeof lookupLocalhost>) => void

interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/**
 * Replaces `dns.lookup` for {@link isLocalhost} names, regardless of the hosts file. With `all` it returns both
 * addresses, because servers often listen on only one of them.
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

/** Removes the brackets of an IPv6 address in a URL: `::1` for `[::1]`. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
