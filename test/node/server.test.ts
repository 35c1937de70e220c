import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PortUnavailableError, type RunningServer, startServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

let sandbox: Sandbox
let server: RunningServer
const faults: unknown[] = []

beforeEach(async () => {
  faults.length = 0
  sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    credentials: { api_key: 'sk_test_abc123_x', signing_secret: 'thm_own', webhook_secret: 'whs_own' },
    onInternalError: (error) => faults.push(error),
  })
  server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
})
afterEach(async () => {
  await server.close({ grace_ms: 100 })
  await sandbox.close()
})

const create = (headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v1/public/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.startShop().api_key}`, 'content-type': 'application/json', ...headers },
    body: '{"amount":100}',
  })

/** Sends raw bytes and gives all that came back. */
const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes))
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.on('close', () => resolve(got))
    socket.on('error', reject)
  })

describe('the node server', () => {
  it('answers over a socket what the sandbox answers', async () => {
    const response = await create()
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ payment: { amount: 100 }, mode: 'test' })
  })

  it('takes an IPv4 caller on an IPv6 socket for the IPv4 address it is (spec 5.4)', async () => {
    const { shop_id } = sandbox.startShop()
    const dual = await startServer(sandbox, { port: 0, host: '::', systemClock: createSystemClock() }).catch(
      () => undefined,
    )
    // A machine without IPv6 has no such sockets.
    if (dual === undefined) return
    try {
      const ask = async (entry: string) => {
        sandbox.engine.execute('update_shop', { shop_id, change: { ip_allow_list: [entry] } })
        const headers = { authorization: `Bearer ${sandbox.startShop().api_key}` }
        return (await fetch(`http://127.0.0.1:${dual.port}/v1/public/banks/sbp`, { headers })).status
      }
      expect(await ask('127.0.0.0/8')).toBe(200)
      expect(await ask('::ffff:127.0.0.1')).toBe(200)
      expect(await ask('10.0.0.0/8')).toBe(403)
    } finally {
      await dual.close({ grace_ms: 0 })
    }
  })

  it('refuses a port that is taken instead of starting', async () => {
    await expect(
      startServer(sandbox, { port: server.port, host: '127.0.0.1', systemClock: createSystemClock() }),
    ).rejects.toThrow(PortUnavailableError)
  })

  it('cuts the connection where the plan says so; the object is there for the retry', async () => {
    await expect(create({ 'x-psp-simulate': 'cut', 'idempotency-key': 'one' })).rejects.toThrow('fetch failed')
    const again = await create({ 'idempotency-key': 'one', 'x-psp-simulate': 'cut' })
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ idempotent: true })
  })

  it('breaks off in the midst of the body for a reset', async () => {
    sandbox.engine.execute('add_fault', { target: 'api', fault: 'reset', times: 1 })
    const response = await create()
    expect(response.status).toBe(201)
    await expect(response.text()).rejects.toThrow()
    expect((await create()).status).toBe(201)
  })

  it('answers bytes that are not HTTP with the error object', async () => {
    const answer = await raw('HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { code: 'bad_request' } })
  })

  it('closes while a stream is open and a connection idles', async () => {
    const stream = await fetch(`${server.url}/v1/public/events`, {
      headers: { authorization: `Bearer ${sandbox.startShop().api_key}` },
    })
    const reader = stream.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': connected\n\n')
    await server.close({ grace_ms: 5000 })
    const ended = reader?.read().then(
      ({ done }) => done,
      () => true,
    )
    expect(await ended).toBe(true)
  })

  it('keeps no bytes of a body above the limit', async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/v1/public/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.startShop().api_key}`, 'transfer-encoding': 'chunked' },
      })
      sent.on('response', (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.write('x'.repeat(3 * 1024 * 1024))
    })
    expect(answer).toBe(413)
  })

  it('answers what has no host, no readable path or too many headers with the error object', async () => {
    for (const [bytes, status] of [
      ['GET /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      ['GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ] as const) {
      const answer = await raw(bytes)
      expect(answer, bytes.slice(0, 40)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer).toContain('{"error":{"code":"bad_request","message":"')
    }
  })

  it('reads a body that arrives in pieces, and serves the next request on the same connection', async () => {
    const head = (key: string | undefined, length: number, last = '') =>
      `POST /v1/public/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${last}\r\n`
    const key = sandbox.startShop().api_key
    const pieces = [
      head(key, 14),
      '{"amoun',
      't":100}',
      // The response is sent before the body is complete.
      head('sk_test_unknown_x', 14),
      '{"amoun',
      't":100}',
      head(key, 14, 'Connection: close\r\n'),
      '{"amount":100}',
    ]
    const socket = connect(server.port, '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => socket.on('close', resolve))
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 401', 'HTTP/1.1 201'])
  })

  it('is not troubled by a caller who leaves in the midst of a body', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `POST /v1/public/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.startShop().api_key}\r\nContent-Length: 100\r\n\r\n{"amount"`,
    )
    await new Promise((resolve) => socket.on('connect', resolve))
    await create()
    socket.destroy()
    expect((await create()).status).toBe(201)
    expect(faults).toEqual([])
  })

  it('forgets a stream whose reader went away', async () => {
    const open = () =>
      fetch(`${server.url}/v1/public/events`, { headers: { authorization: `Bearer ${sandbox.startShop().api_key}` } })
    sandbox.engine.execute('change_settings', { values: { stream_second: 'reject' } })
    const first = await open()
    await first.body?.cancel()
    let second = await open()
    while (second.status === 409) second = await open()
    expect(second.status).toBe(200)
    await second.body?.cancel()
  })

  it('lets a request end while it closes, and cuts it after the grace', async () => {
    const { id } = sandbox.engine.execute('add_fault', { target: 'api', fault: 'latency:1h' })
    const reply = create()
    await taken()
    const closed = server.close({ grace_ms: 10_000 })
    sandbox.engine.execute('remove_faults', { id })
    expect((await reply).status).toBe(201)
    await closed
    await expect(create()).rejects.toThrow()

    server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
    sandbox.engine.execute('add_fault', { target: 'api', fault: 'latency:1h' })
    const cut = expect(create()).rejects.toThrow()
    await taken()
    await server.close({ grace_ms: 0 })
    await cut
  })
})

/** Resolves once the one fault has taken a request. */
async function taken(): Promise<void> {
  const count = () => [...sandbox.engine.world.rows('faults')][0]?.applied ?? 0
  while (count() === 0) await new Promise((resolve) => setImmediate(resolve))
}
