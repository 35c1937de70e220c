// Finds the address of this machine for other machines, if a server listens on all addresses.

import type { IncomingMessage } from 'node:http'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { withBrackets } from '../http/host-header.ts'

/** Names of interfaces of containers, virtual machines and tunnels, which other machines can seldom reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|vethernet|bridge|cni|flannel|lxc|utun|tun|tap|wg|tailscale)/i

/** Returns an address of a network interface. Physical interfaces come before virtual ones, then IPv4 before IPv6. */
export function reachableAddress(
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string | undefined {
  const found = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos
      .filter(({ internal, address }) => !internal && !/^(169\.254\.|fe80:)/i.test(address))
      .map(({ address, family }) => ({ address, rank: (VIRTUAL.test(name) ? 2 : 0) + (family === 'IPv4' ? 0 : 1) })),
  )
  // Sorting is stable, so among equal ranks the first address counts.
  return found.sort((a, b) => a.rank - b.rank)[0]?.address
}

/**
 * Returns the URL of a server for other machines. If it listens on all addresses, the URL has the address of a network
 * interface, or the loopback address if there is none.
 */
export function reachableUrl(host: string, port: number): string {
  const loopback = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host]
  const address = loopback === undefined ? host : (reachableAddress() ?? loopback)
  return `http://${withBrackets(address)}:${port}`
}

/** Writes the scheme of a target such as `HTTP://127.0.0.1/` in lower case: the adapter accepts no other. */
export function lowercaseScheme(incoming: IncomingMessage): void {
  if (incoming.url?.startsWith('/') === false)
    incoming.url = incoming.url.replace(/^https?:\/\//i, (scheme) => scheme.toLowerCase())
}

/** Sets the Host header of an HTTP/1.0 request without one to the server's address. HTTP/1.1 requires the header. */
export function setDefaultHost({ httpVersion, headers, socket }: IncomingMessage): void {
  if (httpVersion !== '1.0' || headers.host !== undefined) return
  // A socket for both families shows an IPv4 address as an IPv6 one.
  const address = (socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  headers.host = `${withBrackets(address)}:${socket.localPort}`
}
