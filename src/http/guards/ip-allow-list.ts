// Spec 5.4: the shop's IP allow-list.

import { refuse } from '../../domain/errors.ts'
import { clientIp, isAllowed } from '../../domain/ip-allow-list.ts'
import type { Shop } from '../../domain/shop.ts'
import { type Exchange, header } from '../app-env.ts'

/** @param hops the number of proxies to trust (setting `trust_proxy`) */
export function requireAllowedIp(c: Exchange, shop: Shop, hops: number): void {
  if (shop.ip_allow_list.length === 0) return
  const address = clientIp(peerAddress(c), header(c, 'x-forwarded-for'), hops)
  if (isAllowed(shop.ip_allow_list, address)) return
  throw refuse('ip_not_allowed', `The caller's address ${address ?? '(unknown)'} is not in the shop's allow-list.`)
}

/** Returns the address of the socket. A caller in this process has the loopback address. */
export function peerAddress(c: Exchange): string | undefined {
  const incoming = c.env?.incoming
  return incoming === undefined ? (c.env?.address ?? '127.0.0.1') : incoming.socket.remoteAddress
}
