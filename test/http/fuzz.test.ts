// The server responds to any input with the error object or an object of the API, and continues.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import type { RunningServer } from '../../src/node/server.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox } from '../contract/adapter.ts'
import { raw, serve } from './fixtures.ts'
import {
  encodeURIComponentSafe,
  expectPlannedResponse,
  headers,
  oddText,
  oddValue,
  RUNS,
  SEED,
  send,
} from './fuzz-input.ts'

let sandbox: Sandbox
let server: RunningServer
let key: string
const errors: unknown[] = []

beforeAll(async () => {
  sandbox = await frozenSandbox({ onInternalError: (error) => errors.push(error) })
  server = await serve(sandbox)
  key = sandbox.defaultShop().api_key ?? ''
  await seed()
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
})

/** The ids of existing objects, by operation. */
const known: Record<string, string> = {}
async function seed(): Promise<void> {
  const post = async (path: string, body: object) =>
    JSON.parse((await send(server.port, 'POST', path, JSON.stringify(body), { Authorization: `Bearer ${key}` })).text)
  const { payment } = await post('/v1/public/payments', { amount: 100 })
  const paid = await post('/_psp/trigger', { event: 'payment.succeeded', set: { amount: 900_000_000 } })
  const { payout } = await post('/v1/public/payouts', { amount: 1, phone: '+79991234567', bank_id: '100000000111' })
  Object.assign(known, { getPayment: payment.id, cancelPayment: payment.id, refundPayment: paid.payment_id })
  known['getPayout'] = payout.id
}

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
/** A placeholder for a valid body of the operation. */
const VALID_BODY = ':valid'
const PAYOUT = '{"amount":1,"phone":"+79991234567","bank_id":"100000000111"}'
const body = fc.oneof(
  { weight: 1, arbitrary: fc.constant(VALID_BODY) },
  { weight: 5, arbitrary: fc.array(field, { maxLength: 8 }).map((pairs) => JSON.stringify(Object.fromEntries(pairs))) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: oddText },
  { weight: 1, arbitrary: fc.constantFrom('{"amount":1,"x":'.concat('['.repeat(5000)), '{"amount":1e999}', '"', '{}') },
)

const segment = fc.oneof(oddText.map(encodeURIComponentSafe), fc.constant(':known'))
const OPERATIONS = Object.entries(PUBLIC_OPERATIONS).map(([name, { method, path }]) => ({ name, method, path }))
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS')
const operation = fc
  .tuple(fc.constantFrom('/v1/public', '/api/v1/public'), fc.constantFrom(...OPERATIONS), segment)
  .map(([prefix, { name, method, path }, id]) => ({ name, method, path: prefix + path.replace(':id', id) }))
const elsewhere = fc
  .oneof(
    fc.constantFrom('/openapi.json', '/', '//', '/v1/public/', '/payx', '/%', '/%E0%A4%A', '/pay/:known', '/pay/x'),
    oddText.map((text) => `/${encodeURIComponentSafe(text)}`),
  )
  .chain((path) => method.map((own) => ({ name: undefined, method: own, path })))
const target = fc.oneof(
  { weight: 8, arbitrary: operation },
  {
    weight: 1,
    arbitrary: fc.tuple(operation, method).map(([{ path }, own]) => ({ name: undefined, method: own, path })),
  },
  { weight: 1, arbitrary: elsewhere },
)
const shot = fc.record({ target, body, headers, authorised: fc.integer({ max: 9, min: 0 }).map((n) => n > 0) })

describe('fuzz', () => {
  test('random requests over sockets get no unplanned 5xx, and each error is the error object', async () => {
    const seen = new Map<string, Set<number>>(OPERATIONS.map(({ name }) => [name, new Set()]))
    const run = async ({ target, ...given }: typeof shot extends fc.Arbitrary<infer T> ? T : never) => {
      const url = target.path.replace(':known', known[target.name ?? 'getPayment'] ?? '')
      const validBody = target.name === 'createPayout' ? PAYOUT : '{"amount":100}'
      const sent = given.body === VALID_BODY ? validBody : given.body
      const response = await send(server.port, target.method, url, sent, {
        ...(given.authorised ? { Authorization: `Bearer ${key}` } : {}),
        ...given.headers,
      })
      if (target.name !== undefined) seen.get(target.name)?.add(response.status)
      if (!/^\/pay\b/.test(url)) expectPlannedResponse(response, target.method)
      else expect(response.status).toBeLessThan(500)
    }
    await fc.assert(fc.asyncProperty(shot, run), { seed: SEED, numRuns: RUNS })
    expect(errors).toEqual([])
    expect((await valid()).status).toBe(201)
    for (const [name, statuses] of seen) {
      expect(statuses, name).toContain(401)
      expect(
        [200, 201].some((status) => statuses.has(status)),
        `${name}: ${[...statuses]}`,
      ).toBe(true)
    }
  })

  test('500 random byte sequences get an HTTP response or a closed connection, and the server continues', async () => {
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
    let responses = 0
    await fc.assert(
      fc.asyncProperty(request, async (bytes) => {
        const got = await raw(server.port, bytes, true)
        if (got === '') return
        responses++
        expect(got).toMatch(/^HTTP\/1\.1 [1-5]\d\d /)
        for (const [, status] of got.matchAll(/^HTTP\/1\.1 (\d+) /gm)) expect(Number(status)).toBeLessThan(500)
        if (/^HTTP\/1\.1 4/.test(got)) expect(got).toContain('{"error":{"code":"')
      }),
      { seed: SEED, numRuns: 500 },
    )
    expect(responses).toBeGreaterThan(400)
    expect(errors).toEqual([])
    expect((await valid()).status).toBe(201)
  })
})

const valid = () =>
  send(server.port, 'POST', '/v1/public/payments', '{"amount":100}', { Authorization: `Bearer ${key}` })
