import type { IncomingMessage } from 'node:http'
import { withBrackets } from '../http/host-header.ts'

/** Gives a request of HTTP/1.0 without Host the address that it came to. HTTP/1.1 requires the header. */
export function setDefaultHost({ httpVersion, headers, socket }: IncomingMessage): void {
  if (httpVersion !== '1.0' || headers.host !== undefined) return
  // A socket for both families shows an IPv4 address as an IPv6 one.
  const address = (socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
  headers.host = `${withBrackets(address)}:${socket.localPort}`
}
