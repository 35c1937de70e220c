import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { raw, serve } from '../http/fixtures.ts'

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
  server = await serve(sandbox)
})
afterEach(async () => {
  await server.close({ grace_ms: 100 })
  await sandbox.close()
})

const create = (headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v1/public/payments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.defaultShop().api_key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: '{"amount":100}',
  })

describe('the node server', () => {
  it('responds over a socket as the sandbox does in this process', async () => {
    const response = await create()
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ payment: { amount: 100 }, mode: 'test' })
  })

  it('sends one response, and no other after it, to a request with an unknown expectation and then malformed bytes', async () => {
    const socket = connect(server.port, '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.write('GET /_psp/health HTTP/1.1\r\nHost: a\r\nExpect: y\r\n\r\nGARBAGE\r\n\r\n')
    await new Promise((done) => socket.once('close', done))
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 417'])
  })

  it('treats an IPv4 client on an IPv6 socket as its IPv4 address (spec 5.4)', async () => {
    const { shop_id } = sandbox.defaultShop()
    const dual = await serve(sandbox, '::').catch(() => undefined)
    // A machine without IPv6 has no such sockets.
    if (dual === undefined) return
    try {
      const ask = async (entry: string) => {
        sandbox.engine.execute('update_shop', { shop_id, change: { ip_allow_list: [entry] } })
        const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}` }
        return (await fetch(`http://127.0.0.1:${dual.port}/v1/public/banks/sbp`, { headers })).status
      }
      expect(await ask('127.0.0.0/8')).toBe(200)
      expect(await ask('::ffff:127.0.0.1')).toBe(200)
      expect(await ask('10.0.0.0/8')).toBe(403)
    } finally {
      await dual.close({ grace_ms: 0 })
    }
  })

  it('closes the connection without a response for the plan cut, and a retry finds the object', async () => {
    await expect(create({ 'x-psp-simulate': 'cut', 'idempotency-key': 'one' })).rejects.toThrow('fetch failed')
    const again = await create({ 'idempotency-key': 'one', 'x-psp-simulate': 'cut' })
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ idempotent: true })
  })

  it('closes the connection in the middle of the body for the fault reset', async () => {
    sandbox.engine.execute('add_fault', { target: 'api', fault: 'reset', times: 1 })
    const response = await create()
    expect(response.status).toBe(201)
    await expect(response.text()).rejects.toThrow()
    expect((await create()).status).toBe(201)
  })

  it('closes although a stream is open and a connection is idle', async () => {
    const stream = await fetch(`${server.url}/v1/public/events`, {
      headers: { authorization: `Bearer ${sandbox.defaultShop().api_key}` },
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

  it('responds with the error object to bytes that are not HTTP, and to a request without host, readable path or short headers', async () => {
    for (const [bytes, status] of [
      ['HELLO\r\n\r\n', 400],
      ['GET /openapi.json HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      ['GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ] as const) {
      const text = await raw(server.port, Buffer.from(bytes))
      expect(text, bytes.slice(0, 40)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(text).toContain('{"error":{"code":"bad_request","message":"')
    }
  })

  it('reads a body that arrives in pieces, and serves the next request on the same connection', async () => {
    const head = (key: string | undefined, length: number, last = '') =>
      `POST /v1/public/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${last}\r\n`
    const key = sandbox.defaultShop().api_key
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

  it.each([
    [1024, 201],
    [1025, 413],
  ])('with a limit of 1024 bytes, gives a body of %i bytes in chunks the status %i', async (size, status) => {
    sandbox.engine.execute('change_settings', { values: { body_limit: 1024 } })
    const body = '{"amount":100}'.padEnd(size)
    const chunks = [body.slice(0, 500), body.slice(500)].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`)
    const head = `POST /v1/public/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.defaultShop().api_key}`
    const lines = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close'
    const request = `${head}\r\n${lines}\r\n\r\n${chunks.join('')}0\r\n\r\n`
    expect(await raw(server.port, Buffer.from(request))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('rejects an import whose Content-Length is above 16 GiB before its body is sent', async () => {
    const head = (length: number) =>
      `PUT /_psp/import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}`
    const response = await raw(server.port, Buffer.from(`${head(16 * 1024 ** 3 + 1)}\r\nConnection: close\r\n\r\n`))
    expect(response).toMatch(/^HTTP\/1\.1 413 /)
    expect(response).toContain('"payload_too_large","message":"The body is larger than 17179869184 bytes."')
  })

  it('continues after a client disconnects in the middle of a body', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `POST /v1/public/payments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.defaultShop().api_key}\r\nContent-Length: 100\r\n\r\n{"amount"`,
    )
    await new Promise((resolve) => socket.on('connect', resolve))
    await create()
    socket.destroy()
    expect((await create()).status).toBe(201)
    expect(faults).toEqual([])
  })

  it('releases the place of a stream whose client disconnected', async () => {
    const open = () =>
      fetch(`${server.url}/v1/public/events`, { headers: { authorization: `Bearer ${sandbox.defaultShop().api_key}` } })
    sandbox.engine.execute('change_settings', { values: { stream_second: 'reject' } })
    const first = await open()
    await first.body?.cancel()
    let second = await open()
    while (second.status === 409) second = await open()
    expect(second.status).toBe(200)
    await second.body?.cancel()
  })

  it('completes a request while it closes, and closes its connection after the grace period', async () => {
    const { id } = sandbox.engine.execute('add_fault', { target: 'api', fault: 'latency:1h' })
    const response = create()
    await faultApplied()
    const closed = server.close({ grace_ms: 10_000 })
    sandbox.engine.execute('remove_faults', { id })
    expect((await response).status).toBe(201)
    await closed
    await expect(create()).rejects.toThrow()

    server = await serve(sandbox)
    sandbox.engine.execute('add_fault', { target: 'api', fault: 'latency:1h' })
    const cut = expect(create()).rejects.toThrow()
    await faultApplied()
    await server.close({ grace_ms: 0 })
    await cut
  })
})

/** Resolves once the only fault was applied to a request. */
async function faultApplied(): Promise<void> {
  const count = () => [...sandbox.engine.world.rows('faults')][0]?.applied ?? 0
  while (count() === 0) await new Promise((resolve) => setImmediate(resolve))
}
