// Connects to the service before the recording, so that a typo in its URL is reported at once. No request is sent.
import type { Server } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { bareHost, familyOptions } from '../../../domain/loopback.ts'
import { describeFailure } from '../../../domain/receiver-failures.ts'
import { isProxyItself } from '../../../recordings/forwarding-errors.ts'
import { CliError, usageError } from '../../failure.ts'
import type { Session } from '../../session.ts'

const CONNECT_TIMEOUT = 3000

/**
 * Returns why the service cannot be used now.
 * @throws CliError if the URL is that of the proxy
 */
export async function targetIssue(to: string, server: Server, { host }: Session): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(to)
  const isTls = protocol === 'https:'
  const address = { host: bareHost(hostname), port: Number(port) || (isTls ? 443 : 80), ...familyOptions(hostname) }
  const servername = isIP(address.host) === 0 ? { servername: address.host } : {}
  const socket: Socket = isTls ? connectTls({ ...address, ...servername }) : connect(address)
  try {
    await new Promise<void>((resolve, reject) => {
      const late = host.systemClock.setTimeout(() => reject(timeout()), CONNECT_TIMEOUT)
      socket.once('close', () => late.cancel())
      socket.once('error', reject)
      // If the proxy connects to itself, the TLS handshake would never finish.
      socket.once('connect', () => {
        if (isProxyItself(socket, server.address())) reject(sameAddress(to))
        else if (!isTls) resolve()
      })
      socket.once('secureConnect', resolve)
    })
    return undefined
  } catch (error) {
    if (error instanceof CliError) throw error
    return describeFailure(error, to, 'connecting')
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

function timeout(): Error {
  return Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })
}

function sameAddress(to: string): Error {
  return usageError(
    `${to} is the address of the proxy itself.`,
    'Give the URL of the real service with --to, or another --port.',
  )
}
