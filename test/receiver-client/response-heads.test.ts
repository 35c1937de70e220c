// Response heads: informational responses, long headers, and receivers that only speak HTTP/2.
import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const LAST = 'HTTP/1.1 200 OK\r\nX-Last: yes\r\nContent-Length: 2\r\n\r\nok'

async function sendTo(port: number) {
  const transport = createTransport(createSystemClock())
  onTestFinished(() => transport.close())
  return await transport.send({
    url: `http://127.0.0.1:${port}/`,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{}'),
    deadline_ms: 20_000,
  })
}

/** Sends to a TCP server that writes `pieces` once it has the request, each when the one before was flushed. */
async function sent(pieces: readonly string[], { end = false } = {}) {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', async () => {
      for (const piece of pieces) {
        await new Promise((resolve) => void socket.write(piece, 'latin1', resolve))
        await new Promise((resolve) => void setImmediate(resolve))
      }
      if (end) socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { answer: await sendTo(port), host: `127.0.0.1:${port}` }
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'

test.each([
  ['a 100 that was not asked for', [CONTINUE + LAST]],
  ['a 102', [`HTTP/1.1 102 Processing\r\n\r\n${LAST}`]],
  ['an unassigned 1xx', [`HTTP/1.1 142 Hold on\r\nX-A: b\r\n\r\n${LAST}`]],
  ['several of different kinds', [CONTINUE + HINTS + CONTINUE + HINTS + LAST]],
  ['one in its own packet', [CONTINUE, LAST]],
  ['byte by byte', [...(CONTINUE + HINTS + LAST)]],
  ['lines that end with a line feed only', [`HTTP/1.1 100 Continue\n\n${LAST}`]],
  ['500 of them', [CONTINUE.repeat(500) + LAST]],
])('the final response counts after informational responses: %s', async (_, pieces) => {
  const { answer } = await sent(pieces)
  expect(answer).toMatchObject({ status: 200, body: { text: 'ok' } })
  expect(answer.headers).toEqual([
    ['X-Last', 'yes'],
    ['Content-Length', '2'],
  ])
  expect(answer.error).toBeUndefined()
})

test('informational responses without end fail the exchange before its deadline', async () => {
  const { answer, host } = await sent([CONTINUE.repeat(2000)])
  expect(answer).toEqual({
    error: `${host} sent more than 1000 informational responses (1xx) and no final one. Send a 2xx response at once.`,
  })
})

test('a connection that ends after an informational response is reported as closed', async () => {
  const { answer, host } = await sent([CONTINUE], { end: true })
  expect(answer).toEqual({
    error: `${host} closed the connection before it responded. See its log. If it supports only HTTP/2, accept HTTP/1.1.`,
  })
})

test('an error names the status 101', async () => {
  const { answer, host } = await sent(['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'])
  expect(answer.error).toBe(
    `${host} responded 101 (switching protocols), which is not a valid response to a webhook. Respond 2xx.`,
  )
})

const long = (bytes: number) => `HTTP/1.1 200 OK\r\nX-Trace: ${'x'.repeat(bytes)}\r\nContent-Length: 2\r\n\r\nok`

test.each([20, 60])('%i KiB of response headers are read and kept', async (kib) => {
  const { answer } = await sent([long(kib * 1024)])
  expect(answer).toMatchObject({ status: 200, body: { text: 'ok' } })
  expect(answer.headers?.[0]?.[1]).toHaveLength(kib * 1024)
})

test.each([
  ['in one packet', (head: string) => [head]],
  ['in small packets', (head: string) => head.match(/[\s\S]{1,16384}/g) ?? []],
])('response headers above the bound fail with their size: %s', async (_, split) => {
  const { answer, host } = await sent(split(long(300_000)))
  expect(answer).toEqual({
    error: `${host} sent 294 KiB of response headers, and psp reads at most 64 KiB. Send fewer or shorter headers.`,
  })
})

test('headers are measured up to 1 MiB', async () => {
  const { answer, host } = await sent([long(3_000_000)])
  expect(answer.error).toBe(
    `${host} sent more than 1024 KiB of response headers, and psp reads at most 64 KiB. Send fewer or shorter headers.`,
  )
})

test('headers that end early are reported with what arrived of them', async () => {
  const { answer, host } = await sent([long(100_000).slice(0, 80 * 1024)], { end: true })
  expect(answer.error).toBe(
    `${host} sent more than 80 KiB of response headers, and psp reads at most 64 KiB. Send fewer or shorter headers.`,
  )
})

test('a receiver that only speaks HTTP/2 is named as one', async () => {
  const server = createHttp2Server((_, response) => response.end('ok'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await sendTo(port)).toEqual({
    error: `127.0.0.1:${port} supports only HTTP/2, and psp sends HTTP/1.1. Accept HTTP/1.1 on this port.`,
  })
})
