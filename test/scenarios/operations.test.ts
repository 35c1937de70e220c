// Each operation of a step is one request of the client.
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { ApiError } from '../../src/client/errors.ts'
import { OPERATIONS } from '../../src/scenarios/operations.ts'

/** Calls an operation, and returns the request and the error that the client throws before it sends one. */
async function requestOf(name: string, fields: object) {
  let request: string | undefined
  let headers = new Headers()
  const client = createClient({
    baseUrl: 'http://psp',
    apiKey: 'sk_test_abc123_x',
    async fetch(url, init) {
      request = [init?.method, url.slice('http://psp'.length), init?.body].filter(Boolean).join(' ')
      headers = new Headers(init?.headers as Record<string, string>)
      return new Response('{}', { headers: { 'Content-Type': 'application/json', Location: 'http://shop/' } })
    },
  })
  const operation = OPERATIONS[name]
  if (operation === undefined) throw new Error(`${name} is missing`)
  const result = await operation.call(client, fields as never).catch((error: Error) => error)
  return { request, headers, result }
}

/** Gives each allowed field its name and `1`. An operation that passes on any field gets three. */
const sample = (name: string) =>
  Object.fromEntries((OPERATIONS[name]?.fields ?? ['id', 'shop_id', 'x']).map((field) => [field, `${field}1`]))

const REQUESTS = [
  ['payments.get', 'GET /v1/public/payments/id1'],
  ['payments.list', 'GET /_psp/payments?id=id1&shop_id=shop_id1&x=x1'],
  ['payments.cancel', 'POST /v1/public/payments/id1/cancel'],
  ['payments.pay', 'POST /_psp/payments/id1/act {"action":"pay","method":"method1"}'],
  ['payments.decline', 'POST /_psp/payments/id1/act {"action":"decline","failure_code":"failure_code1"}'],
  ['payments.act', 'POST /_psp/payments/id1/act {"shop_id":"shop_id1","x":"x1"}'],
  ['buyer.return', 'GET /pay/id1/return'],
  ['refunds.list', 'GET /_psp/refunds?id=id1&shop_id=shop_id1&x=x1'],
  ['refunds.act', 'POST /_psp/refunds/id1/act {"shop_id":"shop_id1","x":"x1"}'],
  [
    'refunds.settle',
    'POST /_psp/refunds/id1/act {"action":"settle","status":"status1","failure_code":"failure_code1"}',
  ],
  ['payouts.get', 'GET /v1/public/payouts/id1'],
  ['payouts.list', 'GET /_psp/payouts?id=id1&shop_id=shop_id1&x=x1'],
  ['payouts.act', 'POST /_psp/payouts/id1/act {"shop_id":"shop_id1","x":"x1"}'],
  [
    'payouts.settle',
    'POST /_psp/payouts/id1/act {"action":"settle","status":"status1","failure_code":"failure_code1"}',
  ],
  ['banks', 'GET /v1/public/banks/sbp'],
  ['banks.list', 'GET /v1/public/banks/sbp'],
  ['events.list', 'GET /_psp/events?id=id1&shop_id=shop_id1&x=x1'],
  ['events.get', 'GET /_psp/events/id1'],
  ['events.replay', 'POST /_psp/events/id1/replay {"shop_id":"shop_id1","x":"x1"}'],
  ['deliveries.list', 'GET /_psp/deliveries?id=id1&shop_id=shop_id1&x=x1'],
  ['deliveries.get', 'GET /_psp/deliveries/id1'],
  ['deliveries.retry', 'POST /_psp/deliveries/id1/retry'],
  ['requests.list', 'GET /_psp/requests?id=id1&shop_id=shop_id1&x=x1'],
  ['logs', 'GET /_psp/requests?id=id1&shop_id=shop_id1&x=x1'],
  ['clock.get', 'GET /_psp/clock'],
  ['clock.show', 'GET /_psp/clock'],
  ['clock.set', 'POST /_psp/clock {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['clock.freeze', 'POST /_psp/clock {"mode":"frozen","now":"now1"}'],
  ['clock.speed', 'POST /_psp/clock {"mode":"scaled","speed":"speed1"}'],
  ['clock.resume', 'POST /_psp/clock {"mode":"real"}'],
  ['clock.advance', 'POST /_psp/clock/advance {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['rules.add', 'POST /_psp/rules {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['rules.list', 'GET /_psp/rules'],
  ['rules.remove', 'DELETE /_psp/rules/id1'],
  ['rules.clear', 'DELETE /_psp/rules'],
  ['faults.add', 'POST /_psp/faults {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['faults.list', 'GET /_psp/faults'],
  ['faults.remove', 'DELETE /_psp/faults/id1'],
  ['faults.clear', 'DELETE /_psp/faults'],
  ['shops.create', 'POST /_psp/shops {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['shops.list', 'GET /_psp/shops?id=id1&shop_id=shop_id1&x=x1'],
  ['shops.get', 'GET /_psp/shops/id1'],
  ['shops.update', 'PATCH /_psp/shops/id1 {"shop_id":"shop_id1","x":"x1"}'],
  ['keys.list', 'GET /_psp/shops/shop_id1/keys?id=id1&x=x1'],
  ['keys.revoke', 'DELETE /_psp/keys/id1'],
  ['endpoints.list', 'GET /_psp/shops/shop_id1/endpoints?id=id1&x=x1'],
  ['endpoints.create', 'POST /_psp/shops/shop_id1/endpoints {"id":"id1","x":"x1"}'],
  ['endpoints.update', 'PATCH /_psp/endpoints/id1 {"shop_id":"shop_id1","x":"x1"}'],
  ['endpoints.remove', 'DELETE /_psp/endpoints/id1'],
  ['endpoints.delete', 'DELETE /_psp/endpoints/id1'],
  ['endpoints.rotate_secret', 'POST /_psp/endpoints/id1/rotate-secret'],
  ['endpoints.test', 'POST /_psp/endpoints/id1/test'],
  ['settings.get', 'GET /_psp/settings'],
  ['settings.origins', 'GET /_psp/settings/origins'],
  ['settings.set', 'PATCH /_psp/settings {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['store.reset', 'POST /_psp/reset {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
  ['store.snapshot', 'PUT /_psp/snapshots/name1'],
  ['store.restore', 'POST /_psp/snapshots/name1/restore'],
  ['store.snapshots', 'GET /_psp/snapshots'],
  ['store.forget', 'DELETE /_psp/snapshots/name1'],
  ['store.export', 'GET /_psp/export'],
  ['health', 'GET /_psp/health'],
  ['trigger', 'POST /_psp/trigger {"id":"id1","shop_id":"shop_id1","x":"x1"}'],
] as const

test.each(REQUESTS)('the operation %s sends %s', async (name, request) => {
  expect((await requestOf(name, sample(name))).request).toBe(request)
})

const KEYED = [
  [
    'payments.create',
    '/v1/public/payments',
    ['amount', 'currency', 'method', 'order_id', 'customer_id', 'return_url', 'description', 'webhook_url', 'metadata'],
  ],
  ['payments.refund', '/v1/public/payments/id1/refund', ['amount', 'reason']],
  ['payouts.create', '/v1/public/payouts', ['amount', 'currency', 'method', 'phone', 'bank_id', 'full_name']],
] as const

test.each(KEYED)(
  'the operation %s sends its plan and key as headers, and its other fields to %s',
  async (name, path, fields) => {
    const body = JSON.stringify(Object.fromEntries(fields.map((field) => [field, `${field}1`])))
    const { request, headers } = await requestOf(name, sample(name))
    expect(request).toBe(`POST ${path} ${body}`)
    expect([headers.get('X-PSP-Simulate'), headers.get('Idempotency-Key')]).toEqual(['outcome1', 'idempotency_key1'])
    const plain = await requestOf(name, { id: 'id1' })
    expect(plain.headers.get('X-PSP-Simulate')).toBeNull()
  },
)

test.each([
  ['signing', 'POST /_psp/shops/id1/rotate-signing-secret'],
  ['webhook', 'POST /_psp/shops/id1/rotate-webhook-secret'],
])('the operation shops.rotate_secret of %s sends %s', async (secret, request) => {
  expect((await requestOf('shops.rotate_secret', { id: 'id1', secret })).request).toBe(request)
})

test('the operation shops.rotate_secret of an unknown secret sends nothing', async () => {
  const { request, result } = await requestOf('shops.rotate_secret', { id: 'id1', secret: 'other' })
  const message = 'secret: expected signing or webhook, got "other".'
  expect([request, result]).toEqual([undefined, new ApiError(400, 'bad_request', message)])
  expect(result).toMatchObject({ status: 400, code: 'bad_request' })
})

test.each([
  [{ mode: 'live' }, '{"mode":"live"}'],
  [{ mode: 'Live' }, '{"mode":"Live"}'],
  [{}, '{}'],
])('the operation keys.create leaves the check of %j to the server', async (fields, body) => {
  const { request } = await requestOf('keys.create', { shop_id: 's1', ...fields })
  expect(request).toBe(`POST /_psp/shops/s1/keys ${body}`)
})

test('the operation buyer.return has the status and the location of the response', async () => {
  const { result } = await requestOf('buyer.return', { id: 'a/b' })
  expect(result).toEqual({ status: 200, location: 'http://shop/' })
})

test('the operations that are not one request have their own tests, and the others are in the tables', () => {
  const listed = [...REQUESTS, ...KEYED].map(([name]) => name)
  const others = Object.keys(OPERATIONS).filter((name) => !listed.some((known) => known === name))
  expect(others.sort()).toEqual(['deliver', 'keys.create', 'shops.rotate_secret', 'store.import', 'wait'])
})
