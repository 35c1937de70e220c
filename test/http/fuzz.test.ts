// Whatever is thrown at it, the server answers with the error object or an object of the API, and goes on.
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_ERRORS } from '../../src/domain/errors.ts'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { systemWall } from '../../src/time/wall.ts'
import { frozenSandbox } from '../contract/door.ts'

const SEED = 20260506
let sandbox: Sandbox
let server: RunningServer
let key: string
const faults: unknown[] = []

beforeAll(async () => {
  sandbox = await frozenSandbox({ onFault: (error) => faults.push(error) })
  server = await startServer(sandbox, { port: 0, host: '127.0.0.1', wall: systemWall() })
  key = sandbox.start().api_key ?? ''
  for (const id of IDS) seedPayment(id)
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
})

const IDS = ['a', 'b', 'c']
const known: string[] = []
function seedPayment(orderId: string): void {
  const { object } = sandbox.engine.execute('create_payment', {
    caller: { shop_id: sandbox.start().shop_id, mode: 'test' },
    input: { amount: 100, currency: 'RUB', method: 'sbp', order_id: orderId, metadata: {} },
  })
  known.push(object.id)
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', '__proto__', 'constructor', '../../etc/passwd', '%00', "' OR 1=1", '₽'),
)
const oddValue = fc.oneof(
  { weight: 2, arbitrary: oddText },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1e308, -0, 2 ** 53)) },
  fc.constantFrom(null, true, false, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 4 }),
)
const FIELDS = [
  ...[
    'amount',
    'currency',
    'method',
    'order_id',
    'customer_id',
    'return_url',
    'description',
    'webhook_url',
    'metadata',
  ],
  ...['reason', 'phone', 'bank_id', 'full_name', '__proto__', 'constructor', 'toString', 'x'],
]
const GOOD = new Map<string, readonly unknown[]>(
  Object.entries({
    amount: [1, 100, 10_051, 10_058, 10_073, 10_093],
    currency: ['RUB', 'USD'],
    method: ['sbp', 'any', 'recurrent', 'payouts_sbp'],
    return_url: ['https://shop.example/'],
    webhook_url: ['http://127.0.0.1:9/'],
    metadata: [{}, { a: 'b' }, { simulate: 'pending' }],
    phone: ['+79991234567', '+70000000005', '+70000000073'],
    bank_id: ['100000000111', '100000000241', '100000000999', '000000000000'],
  }),
)
const field = fc
  .constantFrom(...FIELDS)
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...(GOOD.get(name) ?? ['text'])), oddValue)))
const body = fc.oneof(
  { weight: 5, arbitrary: fc.array(field, { maxLength: 8 }).map((pairs) => JSON.stringify(Object.fromEntries(pairs))) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: oddText },
  { weight: 1, arbitrary: fc.constantFrom('{"amount":1,"x":'.concat('['.repeat(5000)), '{"amount":1e999}', '"', '{}') },
)

const segment = fc.oneof(fc.constantFrom(...IDS), oddText.map(encodeURIComponentSafe), fc.constant(':known'))
const path = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/v1/public', '/api/v1/public'),
      fc.constantFrom(
        '/payments',
        '/payments/{}',
        '/payments/{}/cancel',
        '/payments/{}/refund',
        '/payouts',
        '/payouts/{}',
      ),
      segment,
    )
    .map(([prefix, route, id]) => prefix + route.replace('{}', id)),
  fc.constantFrom('/v1/public/banks/sbp', '/openapi.json', '/', '//', '/v1/public/', '/payx', '/%', '/%E0%A4%A'),
  oddText.map((text) => `/${encodeURIComponentSafe(text)}`),
)

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
})
const headers = fc.dictionary(
  fc.constantFrom(
    ...['Idempotency-Key', 'X-PSP-Simulate', 'X-PSP-Signature', 'X-Service-Signature', 'Content-Type', 'Authorization'],
    ...['X-Forwarded-For', 'Accept', 'Origin', 'Transfer-Encoding-X'],
  ),
  fc.oneof(headerText, fc.constantFrom('application/json', 'succeeded', 'refused:do_not_honor', 'k', 'sha256=00')),
  { maxKeys: 3 },
)
const method = fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS')

const shot = fc.record({ method, path, body, headers, authorised: fc.integer({ max: 9, min: 0 }).map((n) => n > 0) })

describe('fuzz', () => {
  test('1,500 requests over sockets: never an unplanned 5xx, always the error object', async () => {
    const run = async (given: typeof shot extends fc.Arbitrary<infer T> ? T : never) => {
      const url = given.path.replace(':known', known[0] ?? '')
      const answer = await send(given.method, url, given.body, {
        ...(given.authorised ? { Authorization: `Bearer ${key}` } : {}),
        ...given.headers,
      })
      check(answer, given.method)
    }
    await fc.assert(fc.asyncProperty(shot, run), { seed: SEED, numRuns: 1500 })
    expect(faults).toEqual([])
    expect((await valid()).status).toBe(201)
  })

  test('500 times raw bytes: an answer in HTTP or the end of the connection, and the server goes on', async () => {
    const line = fc.oneof(
      fc.constantFrom(
        `Authorization: Bearer ${'x'.repeat(20_000)}`,
        ...['Host: a', 'Host: ', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99999999999999999999'],
        ...['Transfer-Encoding: chunked', 'Transfer-Encoding: x', 'Expect: 100-continue', 'Upgrade: h2c', 'x', ': x'],
      ),
      fc.string({ unit: 'binary' }),
    )
    const request = fc
      .tuple(
        fc.oneof(
          fc.constantFrom(
            ...['GET / HTTP/1.1', 'POST /v1/public/payments HTTP/1.1', 'GET http://x/v1/public/banks/sbp HTTP/1.1'],
            ...['GET /v1/public/../.. HTTP/1.1', 'GET \\ HTTP/1.1', 'CONNECT x:1 HTTP/1.1', 'TRACE / HTTP/1.1'],
            ...['GET * HTTP/1.1', 'OPTIONS * HTTP/1.1', 'GET /\u00e9 HTTP/1.1', 'GET / HTTP/9.9', 'PRI * HTTP/2.0'],
          ),
          fc.string({ unit: 'binary' }),
        ),
        fc.array(line, { maxLength: 4 }),
        fc.string({ unit: 'binary', maxLength: 200 }),
      )
      .map(([first, lines, rest]) => Buffer.from([first, ...lines, '', rest].join('\r\n'), 'latin1'))
    let answered = 0
    await fc.assert(
      fc.asyncProperty(request, async (bytes) => {
        const got = await raw(bytes, true)
        if (got === '') return
        answered++
        expect(got).toMatch(/^HTTP\/1\.1 [1-5]\d\d /)
        for (const [, status] of got.matchAll(/^HTTP\/1\.1 (\d+) /gm)) expect(Number(status)).toBeLessThan(500)
        if (/^HTTP\/1\.1 4/.test(got)) expect(got).toContain('{"error":{"code":"')
      }),
      { seed: SEED, numRuns: 500 },
    )
    expect(answered).toBeGreaterThan(400)
    expect(faults).toEqual([])
    expect((await valid()).status).toBe(201)
  })
})

interface Answer {
  readonly status: number
  readonly text: string
}

const CODES: ReadonlySet<string> = new Set([...Object.keys(API_ERRORS), 'simulated_fault'])

function check({ status, text }: Answer, method: string): void {
  // Plans and magic values may ask for these.
  expect([500, 502]).not.toContain(status === 502 || PLANNED.test(text) ? 0 : status)
  expect(status).toBeLessThan(503)
  if (method === 'HEAD') expect(text).toBe('')
  if (method === 'HEAD' || status < 400) return
  const { error, ...rest } = JSON.parse(text)
  expect(rest).toEqual({})
  expect(CODES).toContain(error.code)
  expect(error.message).toEqual(expect.any(String))
  expect(text).not.toMatch(/at .*\.[jt]s:\d+/)
}

const PLANNED = /"internal_error","message":"An internal error happened\."/

/** Through node:net, since clients refuse to send half of what is tried here. */
async function send(method: string, path: string, body: string, headers: Record<string, string>): Promise<Answer> {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    ...lines,
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ]
  const got = await raw(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]))
  const [top = '', ...rest] = got.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(top)?.[1]), text: rest.join('\r\n\r\n') }
}

/** Writes the bytes, with `half` ends its own side, and gives what came until the server ended its. */
function raw(bytes: Uint8Array, half = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      if (half) socket.end(bytes)
      else socket.write(bytes)
    })
    let got = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(got))
  })
}

const valid = () => send('POST', '/v1/public/payments', '{"amount":100}', { Authorization: `Bearer ${key}` })

function encodeURIComponentSafe(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))
}
