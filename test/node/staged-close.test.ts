import { once } from 'node:events'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeInStages } from '../../src/node/response.ts'
import type { RunningServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { serve } from '../http/fixtures.ts'

let sandbox: Sandbox
let server: RunningServer
let sockets: Socket[]

beforeEach(async () => {
  sockets = []
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  server = await serve(sandbox)
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close({ grace_ms: 0 })
  await sandbox.close()
})

function open(): { socket: Socket; got: () => string } {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  return { socket, got: () => text }
}

/** Writes everything, then reads until the server ends its side. */
async function writeFirst(...pieces: (string | Buffer)[]): Promise<string> {
  const { socket, got } = open()
  socket.pause()
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve))
  socket.resume()
  await once(socket, 'end')
  return got()
}

const head = (key: string, ...lines: string[]) =>
  [
    'POST /v1/public/payments HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    `Authorization: Bearer ${key}`,
    ...lines,
    '\r\n',
  ].join('\r\n')

const ownKey = () => sandbox.defaultShop().api_key ?? ''
const statuses = (text: string) => text.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(9)))
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')

describe('a response that is sent before the body was read', () => {
  it('says that the connection will be closed, if the body is large', async () => {
    const got = await writeFirst(head('none', `Content-Length: ${8 * MEGABYTE.length}`), ...Array(8).fill(MEGABYTE))
    expect(statuses(got)).toEqual([401])
    expect(got).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('says that the connection will be closed, if the length of the body is unknown', async () => {
    const got = await writeFirst(head('none', 'Transfer-Encoding: chunked'), '100000\r\n', MEGABYTE, '\r\n0\r\n\r\n')
    expect(statuses(got)).toEqual([401])
    expect(got).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('keeps the connection if the rest of the body is short', async () => {
    const { socket, got } = open()
    socket.write(head('none', 'Content-Length: 5'))
    await expect.poll(() => statuses(got())).toEqual([401])
    socket.write(`12345${head('none', 'Content-Length: 0')}`)
    await expect.poll(() => statuses(got())).toEqual([401, 401])
    expect(got()).not.toMatch(/connection: close/i)
  })

  it('reaches a client that exceeds the limit in the middle of a chunked body', async () => {
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), MEGABYTE, Buffer.from('\r\n')])
    const got = await writeFirst(head(ownKey(), 'Transfer-Encoding: chunked'), ...Array(16).fill(chunk), '0\r\n\r\n')
    expect(statuses(got)).toEqual([413])
    expect(got).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('ends the connection: a request that follows is not carried out', async () => {
    const body = '{"amount":100}'
    const next = head(ownKey(), `Content-Length: ${body.length}`) + body
    const got = await writeFirst(head('none', `Content-Length: ${MEGABYTE.length}`), MEGABYTE, next)
    expect(statuses(got)).toEqual([401])
    expect(sandbox.engine.world.size('payments')).toBe(0)
  })

  it('reaches a client whose request is not HTTP, however much it sends', async () => {
    for (const [start, status] of [
      ['garbage\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a\r\nX: ', 431],
    ] as const) {
      const got = await writeFirst(start, ...Array(8).fill(MEGABYTE))
      expect(statuses(got), start).toEqual([status])
      expect(got).toMatch(/\r\nconnection: close\r\n/i)
    }
  })

  it.each([
    ['a second Host', 'Host: b', 400],
    ['an unknown expectation', 'Expect: a-miracle', 417],
  ])('reaches a client that sends %s', async (_, line, status) => {
    const got = await writeFirst(
      head('none', line, `Content-Length: ${8 * MEGABYTE.length}`),
      ...Array(8).fill(MEGABYTE),
    )
    expect(statuses(got)).toEqual([status])
  })
})

describe('Expect: 100-continue', () => {
  it.each([
    [401, 'none', 20],
    [413, undefined, 100 * MEGABYTE.length],
  ])('gets a final %i at once, without 100 Continue', async (status, key, length) => {
    const { socket, got } = open()
    socket.write(head(key ?? ownKey(), 'Expect: 100-continue', `Content-Length: ${length}`))
    await once(socket, 'end')
    expect(statuses(got())).toEqual([status])
    expect(got()).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('gets 100 Continue once the body is needed', async () => {
    const { socket, got } = open()
    socket.write(head(ownKey(), 'Expect: 100-continue', 'Content-Length: 14'))
    await expect.poll(() => statuses(got())).toEqual([100])
    socket.write('{"amount":100}')
    await expect.poll(() => statuses(got())).toEqual([100, 201])
    expect(got()).not.toMatch(/connection: close/i)
  })
})

it('a response during the shutdown says that the connection will be closed', async () => {
  const { id } = sandbox.engine.execute('add_fault', { target: 'api', fault: 'latency:1h' })
  const { socket, got } = open()
  socket.write(`${head(ownKey(), 'Content-Length: 14')}{"amount":100}`)
  await expect.poll(() => [...sandbox.engine.world.rows('faults')][0]?.applied).toBe(1)
  const closed = server.close({ grace_ms: 60_000 })
  sandbox.engine.execute('remove_faults', { id })
  await once(socket, 'end')
  expect(statuses(got())).toEqual([201])
  expect(got()).toMatch(/\r\nconnection: close\r\n/i)
  socket.end()
  await closed
})

describe('a connection that is closed in stages', () => {
  let tcp: Server
  let accepted: Socket
  let client: Socket
  beforeEach(async () => {
    tcp = createTcpServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    client = connect({ port: (tcp.address() as { port: number }).port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => {})
    sockets.push(client)
    ;[accepted] = (await once(tcp, 'connection')) as [Socket]
  })
  afterEach(() => {
    accepted.destroy()
    tcp.close()
  })

  it('is cut after the limit of bytes, if the client sends without end', async () => {
    closeInStages(accepted, createSystemClock(), { bytes: 3 * MEGABYTE.length, ms: 3_600_000 })
    const send = () => void client.write(MEGABYTE, (error) => error ?? send())
    send()
    await once(accepted, 'close')
    expect(accepted.bytesRead).toBeGreaterThan(3 * MEGABYTE.length)
    expect(accepted.bytesRead).toBeLessThanOrEqual(4 * MEGABYTE.length)
  })

  it('is cut after the limit of time, if the client keeps it open', async () => {
    let cut = () => {}
    let limit = 0
    const systemClock = {
      setTimeout(fn: () => void, ms: number) {
        cut = fn
        limit = ms
        return { cancel() {} }
      },
    }
    closeInStages(accepted, systemClock, { bytes: 1, ms: 700 })
    client.resume()
    await once(client, 'end')
    expect(limit).toBe(700)
    expect(accepted.destroyed).toBe(false)
    cut()
    expect(accepted.destroyed).toBe(true)
  })

  it('needs no more time once the client closes it', async () => {
    let cancelled = 0
    closeInStages(accepted, { setTimeout: () => ({ cancel: () => cancelled++ }) })
    client.resume()
    await once(client, 'end')
    client.end()
    await once(accepted, 'close')
    expect(cancelled).toBe(1)
  })
})
