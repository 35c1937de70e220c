// Request headers that could be read in two ways: foreign host names, repeated headers and very many headers.
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { raw, serve } from './fixtures.ts'

let sandbox: Sandbox
let server: RunningServer
let ownKey: string
beforeAll(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  server = await serve(sandbox)
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
  key = sandbox.defaultShop().api_key,
  path = '/v1/public/payments',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    })
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
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
])('a browser with %j may not use the development key under a foreign host', async (mark) => {
  const before = sandbox.engine.world.size('payments')
  expect(await ask({ ...EVIL, ...mark })).toBe(403)
  expect(await ask({ ...EVIL, ...mark }, undefined, '/v1/public/payments?x')).toBe(403)
  expect(sandbox.engine.world.size('payments')).toBe(before)
})

test('a private key works under any host', async () => {
  expect(await ask({ ...EVIL, origin: 'http://evil.example:7770' }, ownKey)).toBe(201)
})

test.each([
  ['two hosts', 'Host: 127.0.0.1\r\nhost: evil.example\r\nContent-Length: 12', 'Host: expected one header'],
  ['an unknown transfer coding', 'Host: a\r\nTransfer-Encoding: gzip, chunked', 'Transfer-Encoding: expected chunked'],
  ['another transfer coding', 'Host: a\r\nTransfer-Encoding: x', 'Transfer-Encoding: expected chunked'],
])('a request with %s is refused', async (_, headers, message) => {
  const body = headers.includes('Transfer') ? 'c\r\n{"amount":1}\r\n0\r\n\r\n' : '{"amount":1}'
  const key = `Authorization: Bearer ${sandbox.defaultShop().api_key}`
  const got = await raw(
    server.port,
    Buffer.from(`POST /v1/public/payments HTTP/1.1\r\n${headers}\r\n${key}\r\n\r\n${body}`),
  )
  expect(got).toMatch(/^HTTP\/1\.1 400 /)
  expect(got.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(JSON.parse(got.split('\r\n\r\n')[1] ?? '').error).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining(message),
  })
})

test.each([
  ['an unknown transfer coding', 'Transfer-Encoding: foo'],
  ['two transfer codings', 'Transfer-Encoding: chunked, gzip'],
  ['two hosts', 'Host: b'],
])('a refused request with %s follows the responses to the requests before it', async (_, line) => {
  const key = `Authorization: Bearer ${sandbox.defaultShop().api_key}`
  const head = 'POST /v1/public/payments HTTP/1.1\r\nHost: 127.0.0.1'
  const good = `${head}\r\n${key}\r\nContent-Length: 12\r\n\r\n{"amount":1}`
  const got = await raw(server.port, Buffer.from(`${good}${good}${head}\r\n${line}\r\n${key}\r\n\r\n`))
  expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 400'])
})

test.each([
  ['/v1/public/../../_psp/health', 400],
  ['/v1/public/%2e%2E/../_psp/health', 400],
  ['/v1/..\\_psp/settings', 400],
  ['http://127.0.0.1/v1/../_psp/settings', 400],
  ['/./_psp/health', 400],
  ['/%5fpsp/health', 400],
  ['HTTP://127.0.0.1/v1/../_psp/settings', 400],
  ['/_psp/health', 200],
  ['/_psp?x', 404],
  ['http://127.0.0.1/_psp/health', 200],
  ['HTTP://127.0.0.1/_psp/health', 200],
  ['Https://127.0.0.1/_psp/health', 200],
  ['HTTP://127.0.0.1/v1/public/nothing', 404],
])('the control API behind the target %s responds with %i', async (target, status) => {
  const got = await raw(
    server.port,
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
  )
  expect(got.split('\r\n')[0]).toContain(` ${status} `)
})

test('the error for an indirect path of a control route names each form that is refused', async () => {
  const request = 'GET /./_psp/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
  expect(await raw(server.port, Buffer.from(request))).toContain(
    'without . or .. segments and without percent-encoding.',
  )
})

test('the last of 1,900 headers counts, too', async () => {
  const many = 'a: b\r\n'.repeat(1900)
  const last = `Idempotency-Key: last\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"amount":1}`
  const key = `Authorization: Bearer ${sandbox.defaultShop().api_key}`
  const bytes = Buffer.from(`POST /v1/public/payments HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}\r\n${many}${last}`)
  expect(await raw(server.port, bytes)).toMatch(/^HTTP\/1\.1 201 /)
  const again = await raw(server.port, bytes)
  expect(again).toMatch(/^HTTP\/1\.1 200 /)
  expect(again).toContain('"idempotent":true')
})

type Headers = readonly (readonly [string, string])[]

/** Sends a request over a socket. With a query the server does not use its fast path. */
const bySocket = (query: string) => async (headers: Headers, path: string, body: string | Buffer) => {
  const bytes = Buffer.from(body)
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = `POST ${path}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${bytes.length}\r\n${lines}\r\n`
  const got = await raw(server.port, Buffer.concat([Buffer.from(head), bytes]))
  const [top = '', text = ''] = got.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(top)?.[1]), error: JSON.parse(text).error }
}

const inProcess = async (headers: Headers, path: string, body: string | Buffer) => {
  const request = new Request(`http://127.0.0.1${path}`, {
    method: 'POST',
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const response = await sandbox.fetch(request)
  return { status: response.status, error: ((await response.json()) as { error?: unknown }).error }
}

const ADAPTERS = {
  'over a socket': bySocket(''),
  'without the fast path': bySocket('?x'),
  'in this process': inProcess,
}
const PAYMENTS = '/v1/public/payments'
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const key = () => ['Authorization', `Bearer ${sandbox.defaultShop().api_key}`] as const

for (const [adapter, ask] of Object.entries(ADAPTERS)) {
  test.each([
    ['Idempotency-Key', 'a'],
    ['X-PSP-Simulate', 'succeeded'],
    ['X-PSP-Dry-Run', 'true'],
    ['X-PSP-Signature', 'sha256=0'],
    ['X-Service-Signature', 'sha256=0'],
    ['Content-Type', 'application/json'],
    ['Authorization', ''],
  ])(`two %s headers are refused ${adapter}`, async (name, value) => {
    const twice = name === 'Authorization' ? key() : ([name, value] as const)
    const rest = [key(), JSON_TYPE].filter(([other]) => other !== name)
    const before = sandbox.engine.world.size('payments')
    const { status, error } = await ask([...rest, twice, twice], PAYMENTS, '{"amount":1}')
    expect({ status, error }).toEqual({
      status: 400,
      error: { code: 'bad_request', message: `${name}: expected one header, got several. Send it once.` },
    })
    expect(sandbox.engine.world.size('payments')).toBe(before)
  })

  test(`a comma within the quotes of an idempotency key is part of it ${adapter}`, async () => {
    const headers = [key(), JSON_TYPE, ['Idempotency-Key', `"${adapter}, once"`] as const]
    expect(await ask(headers, PAYMENTS, '{"amount":1}')).toEqual({ status: 201, error: undefined })
  })

  test(`a compressed body is refused with a message ${adapter}`, async () => {
    const zipped = gzipSync('{"amount":1}')
    const encoded = [JSON_TYPE, ['Content-Encoding', 'gzip'] as const]
    const message = 'Content-Encoding: expected none, got "gzip". Send the body uncompressed, without this header.'
    expect(await ask([key(), ...encoded], PAYMENTS, zipped)).toEqual({
      status: 400,
      error: { code: 'bad_request', message },
    })
    expect(await ask(encoded, '/_psp/rules', zipped)).toEqual({
      status: 415,
      error: { code: 'unsupported_media_type', message },
    })
    const plain = [key(), JSON_TYPE, ['Content-Encoding', 'identity'] as const]
    expect((await ask(plain, PAYMENTS, '{"amount":1}')).status).toBe(201)
  })
}

test('an unknown Expect header gets the error object', async () => {
  const { status, error } = await bySocket('')([key(), JSON_TYPE, ['Expect', 'foo']], PAYMENTS, '{"amount":1}')
  expect(status).toBe(417)
  expect(error).toEqual({
    code: 'bad_request',
    message: 'Expect: expected 100-continue or none, got "foo". Leave the header out.',
  })
})
