import { expect, test } from 'vitest'
import { compareJson, NO_TOLERANCE } from '../../src/recordings/compare/compare-json.ts'

const CONTEXT = { operation: 'GET /a', entry: 1, sessionOpeningTolerance: () => NO_TOLERANCE }
const compare = (recorded: unknown, sandbox: unknown) =>
  compareJson(recorded, sandbox, CONTEXT).map(({ kind, at }) => `${kind} ${at}`)

const ID = '3f2a9c1e-0b5d-4c57-9a53-0c1d2e3f4a5b'
const OTHER = '0b5d3f2a-9c1e-4c57-9a53-4a5b0c1d2e3f'
const TIME = '2026-05-06T12:00:00.000Z'

test.each([
  ['ids', { id: ID }, { id: OTHER }],
  ['times of one form', { at: TIME }, { at: '2026-05-07T01:02:03.004Z' }],
  ['texts', { description: 'one' }, { description: 'two' }],
  ['generated order ids', { order_id: 'ord_1' }, { order_id: 'ord_2' }],
  ['metadata of the service', { metadata: { bank_ref: '1' } }, { metadata: { bank_ref: '2' } }],
  [
    'rounded times of a capture',
    { created_at: TIME, captured_at: '2026-05-06T11:59:59.000Z' },
    { created_at: TIME, captured_at: TIME },
  ],
  [
    'times after an unknown creation',
    { captured_at: TIME, expires_at: TIME },
    { captured_at: TIME, expires_at: '2026-05-07T12:00:00.000Z' },
  ],
  ['ids in metadata', { metadata: { cart: ID } }, { metadata: { cart: 'seven' } }],
  ['masked digits', { bank_ref: '502060******1533' }, { bank_ref: '4799146381594910' }],
  ['the order of fields', { a: 1, b: 2 }, { b: 2, a: 1 }],
])('%s are not a difference', (_, recorded, sandbox) => {
  expect(compare(recorded, sandbox)).toEqual([])
})

test.each([
  ['missing a', { a: 1 }, {}],
  ['added a', {}, { a: 1 }],
  ['missing a', { a: null }, {}],
  ['type a', { a: null }, { a: '' }],
  ['type a', { a: 1 }, { a: '1' }],
  ['format a', { a: '' }, { a: TIME }],
  ['format a', { a: '2026-05-06T12:00:00Z' }, { a: TIME }],
  ['format a', { a: '2026-05-06T12:00:00.000+03:00' }, { a: TIME }],
  ['format id', { id: ID }, { id: 'pay_1' }],
  ['format rrn', { rrn: '123456789012' }, { rrn: '1234567890' }],
  ['value status', { status: 'pending' }, { status: 'failed' }],
  ['value order_id', { order_id: 'A-1' }, { order_id: 'A-2' }],
  ['length items', { items: [1] }, { items: [1, 2] }],
  ['missing items[].a', { items: [{ a: 1 }] }, { items: [{}] }],
  ['missing metadata.mode', { metadata: { mode: 'test' } }, { metadata: {} }],
  ['format id', { id: ID.toUpperCase() }, { id: ID }],
  ['format payer.phone_mask', { payer: { phone_mask: '+79160001234' } }, { payer: { phone_mask: '+7 *** ***-12-34' } }],
  ['value metadata.basket', { metadata: { basket: '77' } }, { metadata: { basket: '78' } }],
  [
    'value captured_at',
    { created_at: TIME, captured_at: '2026-05-06T11:59:00.000Z' },
    { created_at: TIME, captured_at: '2026-05-06T12:01:00.000Z' },
  ],
  [
    'value expires_at',
    { created_at: TIME, expires_at: '2026-05-06T13:00:00.000Z' },
    { created_at: TIME, expires_at: '2026-05-07T12:00:00.000Z' },
  ],
])('%s is the difference', (found, recorded, sandbox) => {
  expect(compare(recorded, sandbox)).toEqual([found])
})

test('the values of personal fields and of whole objects are not shown', () => {
  const found = compareJson({ full_name: 'Ann Lee', contact: { phone: '+79161234567' } }, {}, CONTEXT)
  expect(found.map(({ recorded }) => recorded)).toEqual(['"…"', '{…}'])
})
