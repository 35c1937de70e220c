import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'

const BOTH: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/**
 * `dns.lookup` in which `localhost` is always both loopback addresses: a server that listens on one of them is found
 * whatever the hosts file says.
 */
export function lookup(hostname: string, options: LookupOptions, done: Done): void {
  if (!/(^|\.)localhost\.?$/i.test(hostname)) systemLookup(hostname, options, done)
  else if (options.all === true) done(null, BOTH)
  else done(null, '127.0.0.1', 4)
}
