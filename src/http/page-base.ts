// Finds the base URL of the hosted pages for a caller, if other machines can reach the server.

import { parsedUrl } from '../domain/http-url.ts'
import { isLoopback } from '../domain/loopback.ts'
import { type Exchange, header } from './app-env.ts'
import { peerAddress } from './guards/address.ts'
import { hostname } from './host-header.ts'

/**
 * Returns the address by which the caller reached the server, so that others can reach the page too: `http://psp:7770`.
 * @param localUrl the base URL for callers on the same machine, whose Host header is useless to other machines
 */
export function pageBase(c: Exchange, localUrl: string): string {
  if (c.env?.incoming === undefined) return localUrl
  const host = header(c, 'host') ?? ''
  const name = hostname(host)
  if (name === undefined) return localUrl
  // From another machine `localhost` is the published port of a container, or a tunnel.
  if (isThisMachine(name) && isThisMachine(peerAddress(c) ?? '')) return localUrl
  return parsedUrl(`http://${host}`)?.origin ?? localUrl
}

function isThisMachine(host: string): boolean {
  return isLoopback(host) || host === '0.0.0.0' || host === '[::]'
}
