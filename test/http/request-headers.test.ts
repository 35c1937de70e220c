// Heads of requests that could be read in two ways: by the names they call the server, and by what stands in them twice or last.
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { raw } from './fixtures.ts'

let sandbox: Sandbox
let server: RunningServer
let ownKey: string
beforeAll(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
  const made = await sandbox.fetch(
    new Request(`${server.url}/_psp/shops`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    }),
  )
  ownKey = ((await made.json()) as { api_key: string }).api_key
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close({ grace_ms: 0 })
})

function ask(
  headers: Record<string, string>,
  key = sandbox.startShop().api_key,
  path = '/v1/public/payments',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    })
    call.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('error', reject)
    call.end('{"amount":100,"webhook_url":"http://127.0.0.1:9/internal"}')
  })
}

const EVIL = { host: 'evil.example:7770' }

test.each([
  [{ origin: 'http://evil.example:7770' }],
  [{ 'sec-fetch-site': 'same-origin' }],
  [{ referer: 'http://evil.example:7770/' }],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }],
])('a browser with %j and a foreign host is refused the development key', async (mark) => {
  const before = sandbox.engine.world.size('payments')
  expect(await ask({ ...EVIL, ...mark })).toBe(403)
  expect(await ask({ ...EVIL, ...mark }, undefined, '/v1/public/payments?x')).toBe(403)
  expect(sandbox.engine.world.size('payments')).toBe(before)
})

test.each([
  ['a program, by any name', EVIL],
  ['a browser, by a name of this machine', { host: 'shop.localhost:5173', origin: 'http://shop.localhost:5173' }],
  ['a browser, by the address', { host: '127.0.0.1:7770', 'sec-fetch-site': 'same-origin' }],
])('%s is let in', async (_, headers) => {
  expect(await ask(headers)).toBe(201)
})

test('a key that nobody knows is as good by any name', async () => {
  expect(await ask({ ...EVIL, origin: 'http://evil.example:7770' }, ownKey)).toBe(201)
})

test.each([
  ['two hosts', 'Host: 127.0.0.1\r\nhost: evil.example\r\nContent-Length: 12', 'Host: expected one header'],
  ['a coding that is not known', 'Host: a\r\nTransfer-Encoding: gzip, chunked', 'Transfer-Encoding: expected chunked'],
])('%s is no request', async (_, headers, words) => {
  const body = headers.includes('Transfer') ? 'c\r\n{"amount":1}\r\n0\r\n\r\n' : '{"amount":1}'
  const key = `Authorization: Bearer ${sandbox.startShop().api_key}`
  const got = await raw(
    server.port,
    Buffer.from(`POST /v1/public/payments HTTP/1.1\r\n${headers}\r\n${key}\r\n\r\n${body}`),
  )
  expect(got).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(got.split('\r\n\r\n')[1] ?? '').error).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(words),
  })
})

test('the last of many headers counts, too', async () => {
  const many = 'a: b\r\n'.repeat(1900)
  const last = `Idempotency-Key: last\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"amount":1}`
  const key = `Authorization: Bearer ${sandbox.startShop().api_key}`
  const bytes = Buffer.from(`POST /v1/public/payments HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}\r\n${many}${last}`)
  expect(await raw(server.port, bytes)).toMatch(/^HTTP\/1\.1 201 /)
  const again = await raw(server.port, bytes)
  expect(again).toMatch(/^HTTP\/1\.1 200 /)
  expect(again).toContain('"idempotent":true')
})
