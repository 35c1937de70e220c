import { parsedUrl } from '../domain/parsed-url.ts'

/** True for a name or IPv4 address with or without a port, as a URL holds it. */
export function isPlainHost(host: string | undefined): boolean {
  return host !== undefined && /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && parsedUrl(`http://${host}/`) !== undefined
}

/** `127.0.0.1` of `127.0.0.1:7770`, without the dot of a whole name; `undefined` where the text is not just a host. */
export function hostname(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return undefined
  return parsedUrl(`http://${host}`)?.hostname.replace(/\.$/, '')
}

/** As a URL holds an address: `[::1]`. */
export function withBrackets(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
