// The fingerprint of a request, and keys whose object is gone.
import { expect, test } from 'vitest'
import { fingerprint } from '../../src/engine/idempotency.ts'
import { startWorld } from './bench-world.ts'

const BASE = { shop_id: 'shp', operation: 'create_payment', path: '/v1/public/payments', body: { a: 1 } }

test.each([
  [
    { a: 1, b: { c: [1, 2], d: null } },
    { b: { d: null, c: [1, 2] }, a: 1 },
  ],
  [[], []],
  [{ a: undefined }, { a: undefined }],
])('the order of fields does not change a fingerprint: %j', (body, same) => {
  expect(fingerprint({ ...BASE, body: same })).toBe(fingerprint({ ...BASE, body }))
})

test('a fingerprint differs by shop, operation, path and each value, type and order in the body', () => {
  const bodies: unknown[] = [
    { a: 1 },
    { a: 2 },
    { a: '1' },
    { b: 1 },
    { a: 1, b: 1 },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: [12] },
    { a: { b: 1 } },
    { a: null },
    { a: true },
    [1],
    ['a', 1],
    null,
    'a',
    '',
    {},
    [],
    undefined,
  ]
  const requests = [
    ...bodies.map((body) => ({ ...BASE, body })),
    { ...BASE, shop_id: 'other' },
    { ...BASE, operation: 'create_payout' },
    { ...BASE, path: '/v1/public/payouts' },
  ]
  const prints = requests.map(fingerprint)
  expect(new Set(prints).size).toBe(requests.length)
  for (const print of prints) expect(print).toMatch(/^[0-9a-f]{64}$/)
})

test('a key conflicts if its object was removed, and keys of live mode and of other merchants are separate', () => {
  const world = startWorld()
  const idempotency = { key: 'k', fingerprint: 'f' }
  const first = world.create({}, { idempotency })
  expect(first).toMatchObject({ repeated: false, cut: false })
  expect(world.create({}, { idempotency })).toEqual({ object: first.object, repeated: true, cut: false, warnings: [] })
  expect(world.create({}, { idempotency, caller: { ...world.caller, mode: 'live' } }).repeated).toBe(false)
  const other = world.run('create_shop', {}).shop
  expect(world.create({}, { idempotency, caller: { shop_id: other.id, mode: 'test' } }).repeated).toBe(false)
  const same = world.run('create_shop', { merchant_id: world.merchant.id }).shop
  expect(world.create({}, { idempotency, caller: { shop_id: same.id, mode: 'test' } }).object.id).toBe(first.object.id)
  const refusal = (message: string) => expect.objectContaining({ code: 'idempotent_conflict', message })
  expect(() => world.create({}, { idempotency: { key: 'k', fingerprint: 'g' } })).toThrow(
    refusal('This Idempotency-Key was used with another request. Use a new key for a new request.'),
  )
  world.log.append(world.now, 'x', {
    clear: [],
    deletes: [{ table: 'payments', id: first.object.id }],
    puts: [],
    stream: [],
    result: null,
  })
  expect(() => world.create({}, { idempotency })).toThrow(
    refusal('The object that this Idempotency-Key created no longer exists. Use a new key.'),
  )
})
