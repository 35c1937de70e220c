import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunningServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { raw, serve } from '../http/fixtures.ts'

let sandbox: Sandbox
let server: RunningServer
beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  server = await serve(sandbox)
})
afterEach(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
})

/** Sends a request without Host. */
async function ask(start: string, headers: string[] = [], body = '') {
  const lines = [`${start} HTTP/1.0`, `Authorization: Bearer ${sandbox.defaultShop().api_key}`, ...headers]
  const got = await raw(server.port, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`))
  const [head = '', text = ''] = got.split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head, text }
}

test.each([
  ['GET /openapi.json', 200],
  ['GET /v1/public/banks/sbp', 200],
  ['GET /_psp/health', 200],
  ['GET /_psp/payments', 200],
  ['GET /v1/public/nothing', 404],
])('%s in HTTP/1.0 needs no Host', async (start, status) => {
  const got = await ask(start)
  expect(got.status).toBe(status)
  expect(got.head).toMatch(/\r\nconnection: close/i)
  expect(JSON.parse(got.text)).toEqual(expect.any(Object))
})

test('a payment is created over HTTP/1.0 without Host', async () => {
  const length = 'Content-Length: 14'
  const got = await ask('POST /v1/public/payments', ['Content-Type: application/json', length], '{"amount":100}')
  expect(got.status).toBe(201)
  expect(JSON.parse(got.text).payment.amount).toBe(100)
})

test('the event stream of HTTP/1.0 has no chunks', async () => {
  const got = await ask('GET /v1/public/events')
  expect(got.status).toBe(200)
  expect(got.head).not.toMatch(/transfer-encoding/i)
})

test('a Host header is checked in HTTP/1.0, too', async () => {
  expect((await ask('GET /_psp/payments', ['Host: evil.example'])).status).toBe(403)
  expect((await ask('GET /_psp/payments', ['Host: '])).status).toBe(400)
})

test('a server on IPv6 accepts HTTP/1.0 without Host', async () => {
  const six = await serve(sandbox, '::1').catch(() => undefined)
  // A machine without IPv6 has no such address.
  if (six === undefined) return
  try {
    const response = await new Promise<string>((resolve) => {
      const socket = connect(six.port, '::1', () => socket.write('GET /_psp/payments HTTP/1.0\r\n\r\n'))
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.on('close', () => resolve(got))
    })
    expect(response).toMatch(/^HTTP\/1\.1 200 /)
  } finally {
    await six.close({ grace_ms: 0 })
  }
})
