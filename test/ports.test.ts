import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listenOnIPv6Only, refusingPort, reservedPort } from './ports.ts'

async function codeOf(emitter: NodeJS.EventEmitter, event: string): Promise<string | undefined> {
  return await once(emitter, event).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  )
}

test('a refusing port refuses connections, and no server can listen at it', async () => {
  const port = await refusingPort()
  expect(await codeOf(connect(port, '127.0.0.1'), 'connect')).toBe('ECONNREFUSED')
  for (const host of ['127.0.0.1', '0.0.0.0'])
    expect(await codeOf(createServer().listen(port, host), 'listening')).toBe('EADDRINUSE')
})

test('a reserved port is free, and is reserved once', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, reservedPort))
  expect(new Set(ports).size).toBe(200)
  const server = createServer().listen(ports[0], '127.0.0.1')
  expect(await codeOf(server, 'listening')).toBeUndefined()
  server.close()
})

test('a server on ::1 only has a port that refuses connections on 127.0.0.1', async ({ skip }) => {
  const server = createServer()
  const port = await listenOnIPv6Only(server).catch(() => undefined)
  if (port === undefined) return skip('This machine has no IPv6.')
  expect(await codeOf(createServer().listen(port, '127.0.0.1'), 'listening')).toBe('EADDRINUSE')
  server.close()
})
