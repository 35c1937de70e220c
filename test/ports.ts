// Ports that no other test of the run can get.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Returns a port of 127.0.0.1 that refuses connections until the end of the test. It is the local port of an open connection, so
 * no server can get it.
 */
export async function refusingPort(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}))
  await listenAt(server, 0, '127.0.0.1')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  await Promise.all([once(client, 'connect'), once(server, 'connection')])
  server.close()
  return client.localPort as number
}

/**
 * Returns a free port for a server that the test starts later. The system does not assign it, because it is below the range of
 * such ports. A file reserves it.
 */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000)
    if (reserve(port) && (await isFree(port))) return port
  }
}

/** Listens only on ::1. The same port of 127.0.0.1 refuses connections, so that `localhost` reaches no server of another test. */
export async function listenOnIPv6Only(server: Server): Promise<number> {
  for (;;) {
    const port = await refusingPort()
    try {
      await listenAt(server, port, '::1')
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

async function listenAt(server: Server, port: number, host?: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

function reserve(port: number): boolean {
  try {
    closeSync(openSync(join(tmpdir(), `psp-test-port-${port}`), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await listenAt(server, port)
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
