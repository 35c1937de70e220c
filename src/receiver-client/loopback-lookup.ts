import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { isLocalhost, lookupLocalhost } from '../domain/loopback.ts'

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** `dns.lookup`, but for `localhost` without asking anybody. */
export function lookup(hostname: string, options: LookupOptions, done: Done): void {
  if (isLocalhost(hostname)) lookupLocalhost(options, done)
  else systemLookup(hostname, options, done)
}
