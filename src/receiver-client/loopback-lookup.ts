import type { LookupAddress, LookupOptions } from 'node:dns'
import { isLocalhost, lookupLocalhost } from '../domain/loopback.ts'

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Like `dns.lookup`, but resolves `localhost` itself. The resolver is loaded for other hosts only. */
export function lookup(hostname: string, options: LookupOptions, done: Done): void {
  if (isLocalhost(hostname)) lookupLocalhost(options, done)
  else
    import('node:dns').then(
      (dns) => dns.lookup(hostname, options, done),
      (error) => done(error, []),
    )
}
