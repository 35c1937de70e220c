import { describe, expect, it, test } from 'vitest'
import { sandboxNow } from '../../src/view-model/model.ts'
import { averageRate } from '../../src/view-model/rates.ts'
import { ROW_LIMITS } from '../../src/view-model/rows/rows.ts'
import { selectedRow, visibleRows } from '../../src/view-model/rows/visible-rows.ts'
import {
  applyActions,
  createPayment,
  createPayout,
  createState,
  NOW,
  paymentMessage,
  pressKeys,
  receiveMessages,
  stateWithPayments,
  typeText,
} from './fixtures.ts'

const visibleIds = (state: Parameters<typeof visibleRows>[0], pane: Parameters<typeof visibleRows>[1] = 'payments') =>
  visibleRows(state, pane).map(({ id }) => id)

describe('messages of the stream', () => {
  it('create one row per payment, newest first, with its steps in order', () => {
    const { state } = applyActions(
      createState(),
      receiveMessages(
        paymentMessage('a'),
        paymentMessage('b'),
        paymentMessage('a', { status: 'processing' }, '2026-05-06T11:59:51.000Z'),
      ),
      receiveMessages(paymentMessage('a', { status: 'succeeded' }, '2026-05-06T11:59:52.000Z')),
    )
    expect(visibleIds(state)).toEqual(['b', 'a'])
    const row = state.tables.payments.get('a')
    expect(row?.payment.status).toBe('succeeded')
    expect(row?.steps).toEqual([
      { at: '2026-05-06T11:59:50.000Z', label: 'pending' },
      { at: '2026-05-06T11:59:51.000Z', label: 'processing' },
      { at: '2026-05-06T11:59:52.000Z', label: 'succeeded' },
    ])
  })

  it('add each step once if the stream repeats a message', () => {
    const message = paymentMessage('a')
    const { state } = applyActions(createState(), receiveMessages(message), receiveMessages(message))
    expect(state.tables.payments.get('a')?.steps).toHaveLength(1)
  })

  it('add a refund to its payment', () => {
    const refund = {
      id: 'rf',
      payment_id: 'p1',
      merchant_id: 'm',
      amount: 500,
      status: 'pending',
      created_at: '2026-05-06T12:00:00.000Z',
    } as const
    const { state } = applyActions(
      stateWithPayments(1, { status: 'succeeded' }),
      receiveMessages({ kind: 'refund', at: refund.created_at, change: 'created', status: 'pending', refund }),
      receiveMessages({
        kind: 'refund',
        at: refund.created_at,
        change: 'status_changed',
        status: 'failed',
        refund: { ...refund, status: 'failed' },
      }),
    )
    const row = state.tables.payments.get('p1')
    expect(row?.payment.refunds).toEqual([{ ...refund, status: 'failed' }])
  })

  it('update the last attempt of a delivery, and add a payout', () => {
    const delivery = {
      id: 'd1',
      event_id: 'evt_1',
      event: 'payment.succeeded',
      object_id: 'p1',
      shop_id: 's',
      url: 'http://x/',
      status: 'waiting',
      next_attempt_at: '2026-05-06T12:00:10.000Z',
      attempts_made: 1,
      attempts_total: 9,
    } as const
    const attempt = { at: '2026-05-06T12:00:00.000Z', ms: 45, status: 500 }
    const { state } = applyActions(
      createState(),
      receiveMessages(
        { kind: 'attempt', at: attempt.at, delivery, attempt },
        { kind: 'delivery', at: attempt.at, delivery },
      ),
      receiveMessages({
        kind: 'payout',
        at: attempt.at,
        change: 'created',
        status: 'pending',
        payout: createPayout('o1'),
      }),
    )
    expect(state.tables.deliveries.get('d1')).toMatchObject({
      attemptsMade: 1,
      attemptsTotal: 9,
      lastAttempt: { status: 500, ms: 45 },
    })
    expect(state.tables.payouts.get('o1')?.payout.amount).toBe(5000)
  })

  it('remove all rows except the log at a reset', () => {
    const { state } = applyActions(
      stateWithPayments(3),
      receiveMessages({ kind: 'reset', at: '2026-05-06T12:00:00.000Z', command: 'reset' }),
    )
    expect(state.tables.payments.size).toBe(0)
    expect(state.tables.stream.size).toBe(4)
    expect(selectedRow(state)).toBeUndefined()
  })
})

test('the tables are bounded and the oldest rows are removed first', () => {
  const { state } = applyActions(
    stateWithPayments(ROW_LIMITS.payments),
    receiveMessages(...Array.from({ length: 50 }, (_, at) => paymentMessage(`n${at}`))),
  )
  expect(state.tables.payments.size).toBe(ROW_LIMITS.payments)
  expect(state.tables.payments.has('p50')).toBe(false)
  expect(state.tables.payments.has('p51')).toBe(true)
  expect(state.tables.stream.size).toBe(ROW_LIMITS.stream)
})

describe('lists of the API', () => {
  const listed = (lastMessageId: number) => ({
    type: 'lists' as const,
    lists: {
      payments: [createPayment('b', { status: 'succeeded' }), createPayment('a')],
      payouts: [],
      deliveries: [],
      requests: [],
      lastMessageId,
    },
  })

  it('do not overwrite newer messages of the stream', () => {
    const { state } = applyActions(
      createState(),
      receiveMessages(paymentMessage('b', { status: 'failed' }), paymentMessage('c')),
      listed(0),
    )
    expect(visibleIds(state)).toEqual(['c', 'b', 'a'])
    expect(state.tables.payments.get('b')?.payment.status).toBe('failed')
  })

  it('overwrite older messages of the stream', () => {
    const { state } = applyActions(createState(), receiveMessages(paymentMessage('b')), listed(1e9))
    expect(state.tables.payments.get('b')?.payment.status).toBe('succeeded')
    expect(state.tables.payments.get('b')?.steps).toHaveLength(1)
  })

  it('are not overwritten by older messages, which only add to the timelines of listed rows', () => {
    const past = receiveMessages(
      paymentMessage('b'),
      paymentMessage('b', { status: 'processing' }),
      paymentMessage('z'),
    )
    const { state } = applyActions(createState(), listed(1e9), past)
    const { payment, steps } = state.tables.payments.get('b') ?? {}
    expect(payment?.status).toBe('succeeded')
    expect(steps).toHaveLength(2)
    expect(state.tables.payments.has('z')).toBe(false)
  })

  it('are not overwritten by an older refund, payout or delivery', () => {
    const at = '2026-05-06T12:00:00.000Z'
    const refund = {
      id: 'rf',
      payment_id: 'b',
      merchant_id: 'm',
      amount: 5,
      status: 'succeeded',
      created_at: at,
    } as const
    const fields = { id: 'd1', event_id: 'evt_1', event: 'payment.succeeded', object_id: 'b', shop_id: 's' } as const
    const delivery = { ...fields, url: 'http://x/', attempts_made: 0, attempts_total: 9 }
    const lists = {
      ...listed(1e9).lists,
      payments: [createPayment('b', { refunds: [refund] })],
      payouts: [createPayout('o', { status: 'succeeded' })],
      deliveries: [{ ...delivery, status: 'delivered', last_attempt: null } as const],
    }
    const change = { at, change: 'created', status: 'pending' } as const
    const { state } = applyActions(
      createState(),
      { type: 'lists', lists },
      receiveMessages(
        { kind: 'refund', ...change, refund: { ...refund, status: 'pending' } },
        { kind: 'payout', ...change, payout: createPayout('o') },
        { kind: 'delivery', at, delivery: { ...delivery, status: 'waiting' } },
      ),
    )
    expect(state.tables.payments.get('b')?.payment.refunds).toEqual([refund])
    expect(state.tables.payouts.get('o')?.payout.status).toBe('succeeded')
    expect(state.tables.deliveries.get('d1')?.status).toBe('delivered')
  })

  it('are kept after a reset that happened before them', () => {
    const reset = receiveMessages(paymentMessage('z'), {
      kind: 'reset',
      at: '2026-05-06T11:59:59.000Z',
      command: 'reset',
    })
    expect(visibleIds(applyActions(createState(), listed(1e9), reset).state)).toEqual(['b', 'a'])
  })

  it('remove the rows that a complete list no longer contains, because another server may have replaced the first', () => {
    const before = receiveMessages(paymentMessage('z'))
    const { state } = applyActions(createState(), before, listed(1e9))
    expect(visibleIds(state)).toEqual(['b', 'a'])
    const newest = { ...listed(1e9), lists: { ...listed(1e9).lists, complete: false } }
    expect(visibleIds(applyActions(createState(), before, newest).state)).toEqual(['b', 'a', 'z'])
  })

  it('replace all rows if the stream of another server started', () => {
    const { lists, type } = listed(0)
    const { state } = applyActions(createState(), receiveMessages(paymentMessage('z')), {
      type,
      lists: { ...lists, fromNewServer: true },
    })
    expect(visibleIds(state)).toEqual(['b', 'a'])
  })
})

describe('the filter and the order of rows', () => {
  it('show rows that contain every word in any letter case', () => {
    const state = applyActions(
      createState(),
      receiveMessages(
        paymentMessage('a', { order_id: 'Заказ 5' }),
        paymentMessage('b', { status: 'failed', order_id: 'заказ 6' }),
      ),
    ).state
    const { state: filtered } = applyActions(
      state,
      ...pressKeys('/'),
      ...typeText('заказ'),
      ...pressKeys(' '),
      ...typeText('FAIL'),
    )
    expect(visibleIds(filtered)).toEqual(['b'])
    expect(visibleIds(applyActions(filtered, ...pressKeys('escape')).state)).toEqual(['b', 'a'])
    expect(visibleIds(applyActions(filtered, ...pressKeys('enter')).state)).toEqual(['b'])
  })

  it('cycle through the sort orders of a pane', () => {
    const state = applyActions(
      createState(),
      receiveMessages(
        paymentMessage('a', { amount: 3 }),
        paymentMessage('b', { amount: 9, status: 'failed' }),
        paymentMessage('c', { amount: 5 }),
      ),
    ).state
    const orders = ['s', 's', 's', 's'].map((_, at) =>
      visibleIds(applyActions(state, ...pressKeys(...['s', 's', 's', 's'].slice(0, at + 1))).state),
    )
    expect(orders).toEqual([
      ['c', 'a', 'b'],
      ['b', 'c', 'a'],
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ])
  })
})

describe('following new rows', () => {
  it('pauses when another row is selected, and continues at the newest row', () => {
    const moved = applyActions(stateWithPayments(3), ...pressKeys('j')).state
    expect(selectedRow(moved)?.id).toBe('p2')
    const more = applyActions(moved, receiveMessages(paymentMessage('p4'), paymentMessage('p5'))).state
    expect(selectedRow(more)?.id).toBe('p2')
    const back = applyActions(more, ...pressKeys('g')).state
    expect(selectedRow(back)?.id).toBe('p5')
    expect(selectedRow(applyActions(back, receiveMessages(paymentMessage('p6'))).state)?.id).toBe('p6')
  })

  it('continues when the selection moves up to the newest row', () => {
    const state = applyActions(
      stateWithPayments(3),
      ...pressKeys('down', 'up'),
      receiveMessages(paymentMessage('p4')),
    ).state
    expect(selectedRow(state)?.id).toBe('p4')
  })

  it.each([
    [['G'], 'p1'],
    [['end', 'k'], 'p2'],
    [['page_down'], 'p77'],
    [['page_down', 'page_down', 'page_up'], 'p77'],
    [['j', 'j', 'home'], 'p100'],
    [['k'], 'p100'],
  ])('responds to the keys %j by selecting %s of 100 rows', (pressed, id) => {
    expect(selectedRow(applyActions(stateWithPayments(100), ...pressKeys(...pressed)).state)?.id).toBe(id)
  })

  it('pauses while the detail of a row is open', () => {
    const state = applyActions(stateWithPayments(2), ...pressKeys('enter'), receiveMessages(paymentMessage('p3'))).state
    expect(selectedRow(state)?.id).toBe('p2')
  })
})

describe("the sandbox's clock", () => {
  const frozen = { mode: 'frozen', now: '2026-05-06T10:00:00.000Z', speed: 1, next_due: null } as const
  const at = (state: ReturnType<typeof createState>) => new Date(sandboxNow(state)).toISOString()

  it.each([
    ['frozen', '2026-05-06T10:00:00.000Z'],
    ['real', '2026-05-06T10:00:02.000Z'],
    ['scaled', '2026-05-06T10:02:00.000Z'],
  ] as const)('in the mode %s two seconds later is at %s', (mode, now) => {
    const clock = { ...frozen, mode, speed: mode === 'scaled' ? 60 : 1 }
    const { state } = applyActions(createState(), { type: 'clock', clock, now: NOW }, { type: 'tick', now: NOW + 2000 })
    expect(at(state)).toBe(now)
  })
})

test('the rate counts changes of status, except old messages at the start of the stream', () => {
  const changed = () => receiveMessages(paymentMessage('a', { status: 'processing' }), paymentMessage('b'))
  const open = applyActions(
    createState(),
    { type: 'connection', connection: { state: 'open' }, now: NOW },
    changed(),
  ).state
  expect(open.rates.counts.at(-1)).toBe(0)
  const live = applyActions(open, { ...changed(), now: NOW + 2000 } as ReturnType<typeof changed>).state
  expect(live.rates.counts.at(-1)).toBe(2)
  expect(averageRate(applyActions(live, { type: 'tick', now: NOW + 3000 }).state.rates)).toBe(0.4)
  expect(averageRate(applyActions(live, { type: 'tick', now: NOW + 90_000 }).state.rates)).toBe(0)
})
