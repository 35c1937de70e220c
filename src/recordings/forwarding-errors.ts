import { type AddressInfo, isIPv4, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '../domain/loopback.ts'
import { codeOf, describeFailure, type Phase } from '../domain/receiver-failures.ts'

/** Begins the message of each error response of the proxy, to distinguish it from a response of the target. */
export const PROXY_PREFIX = 'psp record: '

/** The target is the proxy itself, under this or another name. */
export class LoopError extends Error {}

/** No connection within the time limit. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError'
  readonly code = 'ETIMEDOUT'
}

/** The target responded 101, and the connection is no longer HTTP. */
export class ProtocolSwitchError extends Error {}

export interface ForwardingIssue {
  readonly code: 'target_is_proxy' | 'target_unreachable' | 'target_failed'
  /** Says what happened, then what to do next. */
  readonly message: string
}

/** Returns why no response of the target could be forwarded. */
export function describeForwardingError(error: unknown, target: string, phase: Phase): ForwardingIssue {
  if (error instanceof LoopError) {
    const message = `${target} is \`psp record\` itself. Give the URL of the real service with --to.`
    return { code: 'target_is_proxy', message }
  }
  if (error instanceof ProtocolSwitchError) {
    const message = `${target} responded 101 (switching protocols), which \`psp record\` does not forward. Send this request to the service directly.`
    return { code: 'target_failed', message }
  }
  const message = describeFailure(error, target, phase).replace('Is your server running?', 'Is the service running?')
  return { code: phase === 'connecting' ? 'target_unreachable' : 'target_failed', message }
}

/** Whether the target closed the connection before the end of its response. */
export function isDisconnected(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error) ?? '')
}

/** Whether the connection was reset (RST) rather than closed (FIN). */
function isReset(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.syscall === 'read' && codeOf(error) === 'ECONNRESET'
}

/**
 * Closes or resets the client's connection, as the target did with the proxy's connection. Without a reset, the client
 * still receives the data that was already written.
 */
export function closeLike(client: Socket | null, error: unknown): void {
  if (isReset(error)) client?.resetAndDestroy()
  else client?.destroySoon()
}

/**
 * Whether the connection leads to the proxy itself.
 * @param proxy the address at which the proxy listens
 * @param interfaces the addresses of this machine
 */
export function isProxyItself(
  { remoteAddress = '', remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>,
  proxy: Pick<AddressInfo, 'address' | 'port'> | string | null,
  interfaces: NodeJS.Dict<readonly { readonly address: string }[]> = networkInterfaces(),
): boolean {
  if (proxy === null || typeof proxy === 'string' || proxy.port !== remotePort) return false
  const remote = withoutPrefix(remoteAddress)
  if (proxy.address === '::' || (proxy.address === '0.0.0.0' && isIPv4(remote))) {
    return isLoopback(remote) || Object.values(interfaces).some((all) => all?.some(({ address }) => address === remote))
  }
  return withoutPrefix(proxy.address) === remote
}

/** Removes `::ffff:`, because a socket for both address families reports an IPv4 address with this prefix. */
function withoutPrefix(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}
