// Parses the Host header, which also determines the base URL of the pages if other machines can reach the server.
import { parsedUrl } from '../domain/http-url.ts'
import { isLoopback } from '../domain/loopback.ts'
import { type Exchange, header } from './app-env.ts'
import { peerAddress } from './guards/ip-allow-list.ts'

/** Returns whether the header is a lower-case name or IPv4 address, with or without a port, and valid in a URL. */
export function isPlainHost(host: string): boolean {
  return /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && parsedUrl(`http://${host}/`) !== undefined
}

/** Returns the host without its port and without a final dot, or `undefined` if the text is not a host. */
export function hostname(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return undefined
  return parsedUrl(`http://${host}`)?.hostname.replace(/\.$/, '')
}

/** Puts an IPv6 address in brackets, as in a URL: `[::1]`. */
export function withBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/**
 * Returns the base URL of the hosted pages. It is the address by which the caller reached the server, because other
 * machines may be able to use this address too: `http://psp:7770`.
 * @param defaultUrl the base URL in process, without a valid Host header, and for callers on the same machine that used
 *   a loopback name, which is useless to other machines
 */
export function pageBase(c: Exchange, defaultUrl: string): string {
  if (c.env?.incoming === undefined) return defaultUrl
  const host = header(c, 'host') ?? ''
  const name = hostname(host)
  if (name === undefined) return defaultUrl
  // If the caller is another machine, its `localhost` is the published port of a container, or a tunnel.
  if (isThisMachine(name) && isThisMachine(peerAddress(c) ?? '')) return defaultUrl
  return parsedUrl(`http://${host}`)?.origin ?? defaultUrl
}

function isThisMachine(host: string): boolean {
  return isLoopback(host) || host === '0.0.0.0' || host === '[::]'
}
