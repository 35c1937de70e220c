// Receivers that close a kept connection: uvicorn after a 500, and any server after its idle time.
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

interface Arrived {
  readonly socket: Socket
  /** Position of its connection among all, from 1. */
  readonly connection: number
  /** Position of the request on its connection, from 1. */
  readonly request: number
}

/** A TCP server that reads whole requests and leaves the response, or the end of the connection, to `react`. */
async function rawReceiver(react: (arrived: Arrived) => void) {
  const requests: string[] = []
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const connection = ++connections
    let request = 0
    let bytes = ''
    open.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1')
      if (!bytes.endsWith('{"n":1}')) return
      requests.push(`${connection}.${++request}`)
      bytes = ''
      react({ socket, connection, request })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = createTransport(createSystemClock())
  onTestFinished(async () => {
    await transport.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}/`
  const send = async () => {
    const answer = await transport.send({
      url,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from('{"n":1}'),
      deadline_ms: 20_000,
    })
    await untilReusable()
    return answer
  }
  return { requests, send, port }
}

/** undici offers a connection again two turns of the event loop after its response. */
async function untilReusable(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => void setImmediate(resolve))
}

test.each([
  ['ends', (socket: Socket) => void socket.end()],
  ['is reset', (socket: Socket) => void socket.resetAndDestroy()],
])('a request is sent again on a new connection if a reused one %s without a response byte', async (_, close) => {
  const { requests, send } = await rawReceiver(({ socket, connection, request }) => {
    if (connection === 1 && request === 2) close(socket)
    else socket.write(OK)
  })
  expect(await send()).toMatchObject({ status: 200 })
  expect(await send()).toMatchObject({ status: 200, body: { text: 'ok' } })
  expect(requests).toEqual(['1.1', '1.2', '2.1'])
})

test('a request is not sent again if a new connection ends without a response byte', async () => {
  const { requests, send, port } = await rawReceiver(({ socket }) => void socket.end())
  expect(await send()).toEqual({
    error: `127.0.0.1:${port} closed the connection before it responded. See its log. If it supports only HTTP/2, accept HTTP/1.1.`,
  })
  expect(requests).toEqual(['1.1'])
})

test.each([
  ['part of a status line', 'HTTP/1.1 2'],
  ['an informational response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
])('a request is not sent again if %s arrived on the reused connection', async (_, beginning) => {
  const { requests, send, port } = await rawReceiver(({ socket, request }) => {
    if (request === 1) socket.write(OK)
    else socket.end(beginning)
  })
  await send()
  expect((await send()).error).toContain(`127.0.0.1:${port} closed the connection`)
  expect(requests).toEqual(['1.1', '1.2'])
})

test('a request is sent at most twice', async () => {
  const { requests, send, port } = await rawReceiver(({ socket, connection, request }) => {
    if (connection === 1 && request === 1) socket.write(OK)
    else socket.end()
  })
  await send()
  expect((await send()).error).toBe(
    `127.0.0.1:${port} closed the connection before it responded. See its log. If it supports only HTTP/2, accept HTTP/1.1.`,
  )
  expect(requests).toEqual(['1.1', '1.2', '2.1'])
})

test('the second try does not use another kept connection', async () => {
  const waiting: Socket[] = []
  const { requests, send } = await rawReceiver(({ socket, request, connection }) => {
    if (connection <= 2 && request === 1) {
      waiting.push(socket)
      if (waiting.length === 2) for (const each of waiting) each.write(OK)
    } else if (connection <= 2) socket.end()
    else socket.write(OK)
  })
  await Promise.all([send(), send()])
  expect(await send()).toMatchObject({ status: 200 })
  expect(requests).toHaveLength(4)
  expect(requests.at(-1)).toBe('3.1')
})
