// Spec 5.4: the allow-list of a shop with IPv4, IPv6 and CIDR ranges, and the client address that it is compared with.

import ipaddr from 'ipaddr.js'
import { quoteText } from './characters.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
interface Range {
  readonly address: Address
  readonly bits: number
}

/** Returns why `text` is not a valid entry of an allow-list, or `undefined` if it is. */
export function allowListEntryIssue(text: string): string | undefined {
  if (parseRange(text) !== undefined) return undefined
  const shown = quoteText(text)
  if (text.includes('%'))
    return `${shown} has a zone id, which is valid only on one machine. Remove % and the text after it.`
  return `${shown} is not an address. Use IPv4 (203.0.113.7), IPv6 (2001:db8::1) or a range (203.0.113.0/24).`
}

/**
 * Whether the list is empty or contains the client's address. An IPv4-mapped IPv6 address counts as IPv4, and a zone id
 * is ignored. Text that is not an address is never allowed. `::/0` matches all IPv6 and no IPv4 addresses.
 */
export function isAllowed(list: readonly string[], address: string | undefined): boolean {
  if (list.length === 0) return true
  const caller = parseAddress((address ?? '').replace(/%.*$/s, ''))
  if (caller === undefined) return false
  return list.some((entry) => {
    const range = parseRange(entry)
    if (range === undefined || range.address.kind() !== caller.kind()) return false
    return (caller as ipaddr.IPv6).match(range.address as ipaddr.IPv6, range.bits)
  })
}

function parseRange(text: string): Range | undefined {
  const [host = '', prefix, ...more] = text.split('/')
  const raw = parseRaw(host)
  if (raw === undefined || more.length > 0) return undefined
  const width = raw.kind() === 'ipv4' ? 32 : 128
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined
  const bits = prefix === undefined ? width : Number(prefix)
  if (bits > width) return undefined
  // A mapped range inside ::ffff:0:0/96 is a range of IPv4. A wider range stays IPv6.
  if (isMapped(raw) && bits >= 96) return { address: raw.toIPv4Address(), bits: bits - 96 }
  return { address: raw, bits }
}

function parseAddress(text: string): Address | undefined {
  const raw = parseRaw(text)
  return raw !== undefined && isMapped(raw) ? raw.toIPv4Address() : raw
}

/** Accepts only usual notations, because programs interpret `127.1`, `0x7f.0.0.1` and `010.0.0.1` differently. */
function parseRaw(text: string): Address | undefined {
  if (text.includes('%')) return undefined
  if (text.includes(':')) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
}

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
}

/**
 * Returns the address of the socket or, with `hops` trusted proxies, the `hops`-th entry of `X-Forwarded-For` from the
 * right. The client can write entries further left, so they are not trusted. If the list has fewer than `hops` entries,
 * its first entry is returned. Without a list the address of the socket is returned.
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
