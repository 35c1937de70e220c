import { parsedUrl } from '../domain/http-url.ts'

/** Returns whether the header is a name or IPv4 address, with or without a port, that is valid in a URL. */
export function isPlainHost(host: string | undefined): boolean {
  return host !== undefined && /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && parsedUrl(`http://${host}/`) !== undefined
}

/** Returns `127.0.0.1` for `127.0.0.1:7770`, without a final dot. Returns `undefined` if the text is not a host. */
export function hostname(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return undefined
  return parsedUrl(`http://${host}`)?.hostname.replace(/\.$/, '')
}

/** Puts an IPv6 address in brackets, as in a URL: `[::1]`. */
export function withBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
