import { expect, test } from 'vitest'
import { type SentIds, sentIdsIn } from '../../src/audit/sent-ids.ts'

const UUID = '5a0d0000-0000-4000-8000-00000000000A'

const message = (body: unknown) => ({ body: Buffer.from(JSON.stringify(body)) })
const placeholders = (names: SentIds) => Object.fromEntries(names.map(({ id, value, key }) => [id, [value, key]]))

test('each id has a placeholder, and the second of a kind has a number', () => {
  const names = sentIdsIn([
    message({
      id: 'evt_1',
      event: 'payment.succeeded',
      data: { id: 'pay_one', order_id: 'order-1', amount: 100, rrn: '123456789012', status: 'succeeded', shop_id: '' },
    }),
    message({ id: 'evt_1', event: 'payment.succeeded', data: { id: 'pay_one', order_id: 'order-2' } }),
    message({ id: 'evt_2', event: 'payment.succeeded', data: { refunds: [{ id: 'ref_1' }, { id: 'ref_2' }] } }),
    message({ id: 'evt_3', event: 'payment.refunded', data: [[{ id: 'pay_two' }]] }),
    message({ id: 7, event: 'payment.refunded', data: null }),
    { body: Buffer.from('no JSON') },
  ])
  expect(placeholders(names)).toEqual({
    evt_1: ['{event_id}', '{payment succeeded event_id}'],
    evt_2: ['{event_id}', '{payment succeeded event_id 2}'],
    evt_3: ['{event_id}', '{payment refunded event_id}'],
    pay_one: ['{payment_id}', '{payment_id}'],
    pay_two: ['{payment_id 2}', '{payment_id 2}'],
    'order-1': ['{order_id}', '{order_id}'],
    'order-2': ['{order_id 2}', '{order_id 2}'],
    ref_1: ['{refund_id}', '{refund_id}'],
    ref_2: ['{refund_id 2}', '{refund_id 2}'],
    '123456789012': ['{rrn}', '{rrn}'],
  })
})

test('a UUID has also a form without dashes and a short form, and longer ids are first', () => {
  const names = sentIdsIn([message({ data: { id: UUID, order_id: 'a-very-long-order-number-of-a-shop-0001' } })])
  expect(names.map(({ id }) => id)).toEqual([
    'a-very-long-order-number-of-a-shop-0001',
    UUID,
    UUID.replaceAll('-', ''),
    '5a0d0000',
  ])
})

const replaced = (id: string, text: string) => {
  const [name] = sentIdsIn([message({ data: { order_id: id } })])
  return name?.replaceIn(text, '*')
}

test.each([
  ['ab.d(f-1', 'xab.d(f-1x AB.D(F-1', 'x*x *'],
  ['abcd-12', 'abcd-12 xabcd-12 abcd-12x (ABCD-12)', '* xabcd-12 abcd-12x (*)'],
  ['1234', '1234 01234 12345 №1234', '* 01234 12345 №*'],
  ['a', 'a ab ba ä-a', '* ab ba ä-*'],
  ['123', '123 #123 #1234 №123 № 123 order 123 order_id: 123', '123 #* #1234 №* № * order * order_id: 123'],
])('the id %j is found in %j only if it is unlikely to occur by chance', (id, text, expected) => {
  expect(replaced(id, text)).toBe(expected)
})
