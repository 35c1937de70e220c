import { describe, expect, it, test } from 'vitest'
import { averageRate } from '../../src/tui/state/rates.ts'
import { ROW_LIMITS } from '../../src/tui/state/rows.ts'
import { sandboxNow } from '../../src/tui/state/sandbox-clock.ts'
import { selectedRow, visibleRows } from '../../src/tui/state/visible-rows.ts'
import { batch, keys, NOW, payment, paymentTold, payout, played, start, typed, withPayments } from './fixtures.ts'

const ids = (state: Parameters<typeof visibleRows>[0], pane: Parameters<typeof visibleRows>[1] = 'payments') =>
  visibleRows(state, pane).map(({ id }) => id)

describe('what the stream tells', () => {
  it('keeps one row for each payment, the newest first, with its steps in order', () => {
    const { state } = played(
      start(),
      batch(paymentTold('a'), paymentTold('b'), paymentTold('a', { status: 'processing' }, '2026-05-06T11:59:51.000Z')),
      batch(paymentTold('a', { status: 'succeeded' }, '2026-05-06T11:59:52.000Z')),
    )
    expect(ids(state)).toEqual(['b', 'a'])
    const row = state.tables.payments.get('a')
    expect(row?.payment.status).toBe('succeeded')
    expect(row?.steps).toEqual([
      { at: '2026-05-06T11:59:50.000Z', label: 'pending' },
      { at: '2026-05-06T11:59:51.000Z', label: 'processing' },
      { at: '2026-05-06T11:59:52.000Z', label: 'succeeded' },
    ])
  })

  it('tells nothing twice when a stream goes on after a cut', () => {
    const told = paymentTold('a')
    const { state } = played(start(), batch(told), batch(told))
    expect(state.tables.payments.get('a')?.steps).toHaveLength(1)
  })

  it('puts a refund into its payment', () => {
    const refund = {
      id: 'rf',
      payment_id: 'p1',
      merchant_id: 'm',
      amount: 500,
      status: 'pending',
      created_at: '2026-05-06T12:00:00.000Z',
    } as const
    const { state } = played(
      withPayments(1, { status: 'succeeded' }),
      batch({ kind: 'refund', at: refund.created_at, change: 'created', status: 'pending', refund }),
      batch({
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

  it('keeps the last answer of a delivery, and takes a payout', () => {
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
    const { state } = played(
      start(),
      batch({ kind: 'attempt', at: attempt.at, delivery, attempt }, { kind: 'delivery', at: attempt.at, delivery }),
      batch({ kind: 'payout', at: attempt.at, change: 'created', status: 'pending', payout: payout('o1') }),
    )
    expect(state.tables.deliveries.get('d1')).toMatchObject({
      attemptsMade: 1,
      attemptsTotal: 9,
      lastAttempt: { status: 500, ms: 45 },
    })
    expect(state.tables.payouts.get('o1')?.payout.amount).toBe(5000)
  })

  it('forgets everything but the log at a reset', () => {
    const { state } = played(
      withPayments(3),
      batch({ kind: 'reset', at: '2026-05-06T12:00:00.000Z', command: 'reset' }),
    )
    expect(state.tables.payments.size).toBe(0)
    expect(state.tables.stream.size).toBe(4)
    expect(selectedRow(state)).toBeUndefined()
  })
})

test('memory is bounded: the oldest rows go first, of every kind', () => {
  const { state } = played(
    withPayments(ROW_LIMITS.payments),
    batch(...Array.from({ length: 50 }, (_, at) => paymentTold(`n${at}`))),
  )
  expect(state.tables.payments.size).toBe(ROW_LIMITS.payments)
  expect(state.tables.payments.has('p50')).toBe(false)
  expect(state.tables.payments.has('p51')).toBe(true)
  expect(state.tables.stream.size).toBe(ROW_LIMITS.stream)
})

describe('lists', () => {
  const listed = (lastMessageId: number) => ({
    type: 'lists' as const,
    lists: {
      payments: [payment('b', { status: 'succeeded' }), payment('a')],
      payouts: [],
      deliveries: [],
      requests: [],
      lastMessageId,
    },
  })

  it('go beneath what the stream told meanwhile', () => {
    const { state } = played(start(), batch(paymentTold('b', { status: 'failed' }), paymentTold('c')), listed(0))
    expect(ids(state)).toEqual(['c', 'b', 'a'])
    expect(state.tables.payments.get('b')?.payment.status).toBe('failed')
  })

  it('correct what the stream told before', () => {
    const { state } = played(start(), batch(paymentTold('b')), listed(1e9))
    expect(state.tables.payments.get('b')?.payment.status).toBe('succeeded')
    expect(state.tables.payments.get('b')?.steps).toHaveLength(1)
  })

  it('are not put back by a stream that tells its past, which makes timelines only', () => {
    const past = batch(paymentTold('b'), paymentTold('b', { status: 'processing' }), paymentTold('z'))
    const { state } = played(start(), listed(1e9), past)
    const { payment: kept, steps } = state.tables.payments.get('b') ?? {}
    expect(kept?.status).toBe('succeeded')
    expect(steps).toHaveLength(2)
    expect(state.tables.payments.has('z')).toBe(true)
  })

  it('outlive a reset of before them', () => {
    const reset = batch(paymentTold('z'), { kind: 'reset', at: '2026-05-06T11:59:59.000Z', command: 'reset' })
    expect(ids(played(start(), listed(1e9), reset).state)).toEqual(['b', 'a'])
  })

  it('of a server whose stream began anew take the place of all', () => {
    const { lists, type } = listed(0)
    const { state } = played(start(), batch(paymentTold('z')), { type, lists: { ...lists, fromNewServer: true } })
    expect(ids(state)).toEqual(['b', 'a'])
  })
})

describe('filter and order', () => {
  it('shows rows that hold every word, whatever the letter case', () => {
    const state = played(
      start(),
      batch(paymentTold('a', { order_id: 'Заказ 5' }), paymentTold('b', { status: 'failed', order_id: 'заказ 6' })),
    ).state
    const { state: filtered } = played(state, ...keys('/'), ...typed('заказ'), ...keys(' '), ...typed('FAIL'))
    expect(ids(filtered)).toEqual(['b'])
    expect(ids(played(filtered, ...keys('escape')).state)).toEqual(['b', 'a'])
    expect(ids(played(filtered, ...keys('enter')).state)).toEqual(['b'])
  })

  it('goes through the orders of a pane and back', () => {
    const state = played(
      start(),
      batch(
        paymentTold('a', { amount: 3 }),
        paymentTold('b', { amount: 9, status: 'failed' }),
        paymentTold('c', { amount: 5 }),
      ),
    ).state
    const orders = ['s', 's', 's', 's'].map((_, at) =>
      ids(played(state, ...keys(...['s', 's', 's', 's'].slice(0, at + 1))).state),
    )
    expect(orders).toEqual([
      ['c', 'a', 'b'],
      ['b', 'c', 'a'],
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ])
  })
})

describe('following', () => {
  it('pauses when one moves, stays at its row, and goes on at the newest', () => {
    const moved = played(withPayments(3), ...keys('j')).state
    expect(selectedRow(moved)?.id).toBe('p2')
    const more = played(moved, batch(paymentTold('p4'), paymentTold('p5'))).state
    expect(selectedRow(more)?.id).toBe('p2')
    const back = played(more, ...keys('g')).state
    expect(selectedRow(back)?.id).toBe('p5')
    expect(selectedRow(played(back, batch(paymentTold('p6'))).state)?.id).toBe('p6')
  })

  it('goes on too when one moves up to the newest', () => {
    const state = played(withPayments(3), ...keys('down', 'up'), batch(paymentTold('p4'))).state
    expect(selectedRow(state)?.id).toBe('p4')
  })

  it.each([
    [['G'], 'p1'],
    [['end', 'k'], 'p2'],
    [['page_down'], 'p77'],
    [['page_down', 'page_down', 'page_up'], 'p77'],
    [['j', 'j', 'home'], 'p100'],
    [['k'], 'p100'],
  ])('%j chooses %s of a hundred', (pressed, id) => {
    expect(selectedRow(played(withPayments(100), ...keys(...pressed)).state)?.id).toBe(id)
  })

  it('holds what one reads in the detail', () => {
    const state = played(withPayments(2), ...keys('enter'), batch(paymentTold('p3'))).state
    expect(selectedRow(state)?.id).toBe('p2')
  })
})

describe('the clock', () => {
  const told = { mode: 'frozen', now: '2026-05-06T10:00:00.000Z', speed: 1, next_due: null } as const
  const at = (state: ReturnType<typeof start>) => new Date(sandboxNow(state)).toISOString()

  it.each([
    ['frozen', '2026-05-06T10:00:00.000Z'],
    ['real', '2026-05-06T10:00:02.000Z'],
    ['scaled', '2026-05-06T10:02:00.000Z'],
  ] as const)('%s, two seconds later, stands at %s', (mode, now) => {
    const clock = { ...told, mode, speed: mode === 'scaled' ? 60 : 1 }
    const { state } = played(start(), { type: 'clock', clock, now: NOW }, { type: 'tick', now: NOW + 2000 })
    expect(at(state)).toBe(now)
  })
})

test('the rate counts changes of status, once the past has been told', () => {
  const changed = () => batch(paymentTold('a', { status: 'processing' }), paymentTold('b'))
  const open = played(start(), { type: 'connection', connection: { state: 'open' }, now: NOW }, changed()).state
  expect(open.rates.counts.at(-1)).toBe(0)
  const live = played(open, { ...changed(), now: NOW + 2000 } as ReturnType<typeof changed>).state
  expect(live.rates.counts.at(-1)).toBe(2)
  expect(averageRate(played(live, { type: 'tick', now: NOW + 3000 }).state.rates)).toBe(0.4)
  expect(averageRate(played(live, { type: 'tick', now: NOW + 90_000 }).state.rates)).toBe(0)
})
