// The fields that a filter can compare, with their value for a row of each pane.
import { expect, test } from 'vitest'
import { FILTER_FIELDS } from '../../src/view-model/rows/filter-fields.ts'
import { deliveryRow, type PaneName } from '../../src/view-model/rows/rows.ts'
import { createPayment, createPayout } from '../tui/fixtures.ts'

function valuesOf(pane: PaneName, row: object): Record<string, unknown> {
  const fields = FILTER_FIELDS[pane] as Record<string, (row: object) => unknown>
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(row)]))
}

test('a payment has these fields, and the shop and the payer have a second source', () => {
  const payment = createPayment('p1', {
    status: 'failed',
    amount: 900,
    amount_refunded: 300,
    currency: 'KZT',
    method: 'cards',
    order_id: 'A-1',
    shop_id: 'shp',
    shop_name: 'Tea',
    customer_phone_mask: '+7***1',
    customer_card_mask: '2200**',
    metadata: { failure_code: 'card_lost' },
    created_at: '2026-05-06T12:00:00.000Z',
  })
  const row = { id: 'p1', payment: { ...payment, description: 'Two' } }
  const values = {
    status: 'failed',
    amount: row.payment,
    refunded: { amount: 300, currency: 'KZT' },
    currency: 'KZT',
    method: 'cards',
    order: 'A-1',
    code: 'card_lost',
    shop: 'Tea',
    payer: '+7***1',
    description: 'Two',
    created: '2026-05-06T12:00:00.000Z',
    id: 'p1',
  }
  expect(valuesOf('payments', row)).toEqual(values)
  const { shop_name, customer_phone_mask, ...rest } = row.payment
  expect(valuesOf('payments', { ...row, payment: rest })).toEqual({
    ...values,
    amount: rest,
    shop: 'shp',
    payer: '2200**',
  })
})

test('a payout has these fields', () => {
  const payout = createPayout('o1', {
    amount: 900,
    currency: 'RUB',
    status: 'failed',
    fail_reason: 'bank_unknown',
    recipient: { phone: '+7900', bank_id: '100', full_name: 'A B' },
    created_at: '2026-05-06T12:00:00.000Z',
  })
  expect(valuesOf('payouts', { id: 'o1', payout })).toEqual({
    status: 'failed',
    amount: payout,
    currency: 'RUB',
    phone: '+7900',
    bank: '100',
    name: 'A B',
    reason: 'bank_unknown',
    created: '2026-05-06T12:00:00.000Z',
    id: 'o1',
  })
})

test('a delivery has these fields, and its result is the status or the error of its last attempt', () => {
  const delivery = (
    edited: true | undefined,
    lastAttempt: { at: string; ms: number; status?: number; error?: string },
  ) =>
    deliveryRow(
      {
        id: 'd1',
        event: 'payment.failed',
        event_id: 'evt',
        object_id: 'p1',
        url: 'http://x/',
        status: 'waiting',
        replay: edited,
        edited,
        attempts_made: 2,
        attempts_total: 9,
      },
      lastAttempt,
      0,
    )
  const values = {
    status: 'waiting',
    failing: 'yes',
    replay: 'no',
    edited: 'no',
    event: 'payment.failed',
    result: 500,
    tries: 2,
    ms: 7,
    to: 'http://x/',
    object: 'p1',
    id: 'd1',
  }
  expect(valuesOf('deliveries', delivery(undefined, { at: '', ms: 7, status: 500, error: 'why' }))).toEqual(values)
  expect(valuesOf('deliveries', delivery(true, { at: '', ms: 7, error: 'why' }))).toEqual({
    ...values,
    failing: 'no',
    replay: 'yes',
    edited: 'yes',
    result: 'why',
  })
})

test('a request and a message have these fields', () => {
  const request = {
    id: 7,
    status: 404,
    method: 'GET',
    path: '/x',
    ms: 5,
    code: 'c',
    decided_by: 'rule',
    object_id: 'p1',
  }
  expect(valuesOf('requests', { id: '7', request })).toEqual({
    status: 404,
    method: 'GET',
    path: '/x',
    ms: 5,
    code: 'c',
    decided: 'rule',
    object: 'p1',
  })
  expect(valuesOf('stream', { id: '9', kind: 'event', summary: 'about', object_id: 'p1' })).toEqual({
    kind: 'event',
    what: 'about',
    object: 'p1',
  })
})
