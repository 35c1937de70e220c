// The sort orders of each pane, and the texts that a filter searches.
import { expect, test } from 'vitest'
import { initialModel } from '../../src/view-model/model.ts'
import { deliveryRow, NO_ROWS, type PaneName, type Row, type Tables } from '../../src/view-model/rows/rows.ts'
import { SORT_ORDERS, selectedIndex, visibleRows } from '../../src/view-model/rows/visible-rows.ts'
import { createPayment, createPayout } from '../tui/fixtures.ts'

const paymentRow = (id: string, fields: object): Row => ({
  id,
  payment: createPayment(id, fields),
  steps: [],
  lastMessageId: 0,
})
const payoutRow = (id: string, fields: object): Row => ({
  id,
  payout: createPayout(id, fields),
  steps: [],
  lastMessageId: 0,
})
const attempted = (id: string, status: 'waiting' | 'delivered', attemptsMade: number, at?: string): Row =>
  deliveryRow(
    {
      ...{ id, event: 'payment.failed', event_id: `evt_${id}`, object_id: 'p', url: `http://${id}/` },
      status,
      attempts_made: attemptsMade,
      attempts_total: 9,
    },
    at === undefined ? undefined : { at, ms: 1, status: 404, error: 'why' },
    0,
  )
const requestRow = (id: string, ms: number, status: number): Row => ({
  id,
  request: { id: Number(id), method: 'GET', path: `/p${id}`, ms, status, code: 'c', decided_by: 'rule' } as never,
  lastMessageId: 0,
})
const messageRow = (id: string, kind: string): Row => ({
  id,
  at: '',
  kind,
  summary: `about ${id}`,
  object_id: `obj${id}`,
  message: { kind: 'gap', at: '' },
})

/** The rows of each pane, the oldest first. */
const ROWS: { readonly [P in PaneName]: readonly Row[] } = {
  payments: [
    paymentRow('a', { amount: 300, currency: 'RUB', status: 'failed', order_id: 'y' }),
    paymentRow('b', { amount: 900, currency: 'RUB', status: 'pending', order_id: 'z' }),
    paymentRow('c', { amount: 500, currency: 'KZT', status: 'refunded', order_id: 'x' }),
    paymentRow('d', { amount: 300, currency: 'RUB', status: 'pending', order_id: 'y' }),
  ],
  payouts: [
    payoutRow('a', { amount: 300, status: 'failed' }),
    payoutRow('b', { amount: 900, status: 'pending' }),
    payoutRow('c', { amount: 500, status: 'succeeded' }),
  ],
  deliveries: [
    attempted('a', 'delivered', 3, '2026-05-06T12:00:02Z'),
    attempted('b', 'waiting', 0),
    attempted('c', 'waiting', 5, '2026-05-06T12:00:03Z'),
    attempted('d', 'waiting', 1, '2026-05-06T12:00:01Z'),
  ],
  requests: [requestRow('1', 5, 200), requestRow('2', 9, 500), requestRow('3', 7, 404)],
  stream: [messageRow('1', 'payment'), messageRow('2', 'event'), messageRow('3', 'payment')],
}

function modelWith(pane: PaneName, view: object = {}) {
  const model = initialModel(0)
  const tables = { ...NO_ROWS, [pane]: new Map(ROWS[pane].map((row) => [row.id, row])) } as Tables
  const listViews = { ...model.listViews, [pane]: { selectedId: undefined, sort: 0, filter: '', ...view } }
  return { ...model, pane, tables, listViews }
}

const ids = (pane: PaneName, view: object = {}) =>
  visibleRows(modelWith(pane, view), pane)
    .map(({ id }) => id)
    .join('')

test.each<[pane: PaneName, orders: Record<string, string>]>([
  ['payments', { newest: 'dcba', status: 'dbac', amount: 'cbda', order: 'cdab' }],
  ['payouts', { newest: 'cba', status: 'bca', amount: 'bca' }],
  ['deliveries', { newest: 'bcad', status: 'dcba', attempts: 'cadb' }],
  ['requests', { newest: '321', slowest: '231', status: '231' }],
  ['stream', { newest: '321', kind: '231' }],
])('the rows of %s have the orders %j', (pane, orders) => {
  const found = SORT_ORDERS[pane].map(({ name }, sort) => [name, ids(pane, { sort })])
  expect(Object.fromEntries(found)).toEqual(orders)
})

test.each<[pane: PaneName, filter: string, found: string]>([
  ['payments', 'pending', 'db'],
  ['payments', '3.00', 'da'],
  ['payouts', '9.00', 'b'],
  ['payouts', 'succeeded', 'c'],
  ['deliveries', 'evt_c', 'c'],
  ['deliveries', 'http://d/', 'd'],
  ['deliveries', '404', 'cad'],
  ['deliveries', 'why', 'cad'],
  ['deliveries', 'payment.failed', 'bcad'],
  ['requests', '/p2', '2'],
  ['requests', 'get', '321'],
  ['requests', '404', '3'],
  ['requests', 'rule', '321'],
  ['stream', 'event', '2'],
  ['stream', 'obj3', '3'],
  ['stream', 'about', '321'],
  ['stream', 'nothing', ''],
])('a filter of %s by the word %s finds %s', (pane, filter, found) => {
  expect(ids(pane, { filter })).toBe(found)
})

test.each([
  [undefined, 0],
  ['d', 0],
  ['c', 1],
  ['a', 3],
  ['gone', 3],
])('with the selected row %s, the index is %i', (selectedId, index) => {
  expect(selectedIndex(modelWith('payments', { selectedId }))).toBe(index)
})

test('the index in an empty list is 0', () => {
  expect(selectedIndex(modelWith('payments', { selectedId: 'gone', filter: 'nothing' }))).toBe(0)
})

test('rows of the same table, order and filter are the same list', () => {
  const model = modelWith('payments')
  const first = visibleRows(model, 'payments')
  expect(visibleRows({ ...model }, 'payments')).toBe(first)
  const sorted = { ...model.listViews, payments: { ...model.listViews.payments, sort: 1 } }
  expect(visibleRows({ ...model, listViews: sorted }, 'payments').map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c'])
  expect(visibleRows(model, 'payments')).toEqual(first)
})
