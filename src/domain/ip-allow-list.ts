// Spec 5.4: the allow-list of a shop: IPv4, IPv6 and CIDR ranges.
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
interface Range {
  readonly address: Address
  readonly bits: number
}

/** Why `text` cannot stand in an allow-list, or `undefined` when it can. */
export function checkAllowListEntry(text: string): string | undefined {
  if (parseRange(text) !== undefined) return undefined
  const shown = JSON.stringify(text.slice(0, 64))
  if (text.includes('%'))
    return `${shown} has a zone id, which means nothing on another machine: leave out % and what follows.`
  return `${shown} is not an address: give IPv4 (203.0.113.7), IPv6 (2001:db8::1) or a range (203.0.113.0/24).`
}

/**
 * True when the list is empty or holds the caller's address. An IPv4-mapped IPv6 address is the IPv4 address, a zone id is
 * looked over, and text that is no address is in no list. `::/0` is all of IPv6 and none of IPv4.
 */
export function allows(list: readonly string[], address: string | undefined): boolean {
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
  // A mapped range inside ::ffff:0:0/96 is a range of IPv4; a wider one is left as it is.
  if (isMapped(raw) && bits >= 96) return { address: raw.toIPv4Address(), bits: bits - 96 }
  return { address: raw, bits }
}

function parseAddress(text: string): Address | undefined {
  const raw = parseRaw(text)
  return raw !== undefined && isMapped(raw) ? raw.toIPv4Address() : raw
}

/** Only the usual spellings: `127.1`, `0x7f.0.0.1` and `010.0.0.1` are read differently by different programs. */
function parseRaw(text: string): Address | undefined {
  if (text.includes('%')) return undefined
  if (text.includes(':')) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
}

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
}
