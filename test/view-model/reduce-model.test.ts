// The model after each action: notices, calls, the rate and the detail of the selected row.
import { describe, expect, test } from 'vitest'
import { initialModel, isHistoryLoading, type Model, RATE_SECONDS } from '../../src/view-model/model.ts'
import type { ModelAction } from '../../src/view-model/model-action.ts'
import { advanceTo, averageRate, countChanges } from '../../src/view-model/rates.ts'
import { reduceModel } from '../../src/view-model/reduce-model.ts'
import { createPayment, createPayout, paymentMessage, receiveMessages } from '../tui/fixtures.ts'

const NOW = Date.parse('2026-05-06T12:00:00.000Z')

function reduced(model: Model, ...actions: readonly ModelAction[]): Model {
  return actions.reduce((before, action) => reduceModel(before, action)[0], model)
}

const START = initialModel(NOW)
const tick = (now: number): ModelAction => ({ type: 'tick', now })
const connection = (state: 'open' | 'lost', now = NOW): ModelAction => ({
  type: 'connection',
  connection: state === 'open' ? { state } : { state, reason: 'refused' },
  now,
})

describe('a notice', () => {
  test.each<[what: string, action: ModelAction, style: string, ms: number]>([
    ['an effect without a call', { type: 'notice', text: 'x', now: NOW }, 'success', 6000],
    ['a finished call', { type: 'call_done', text: 'x', now: NOW }, 'success', 6000],
    ['a failed call', { type: 'call_failed', text: 'x', now: NOW }, 'failure', 12_000],
  ])('is shown for its time if it reports %s', (_, action, style, ms) => {
    const shown = reduced(START, action)
    const notice = { text: 'x', style, until: NOW + ms }
    expect(shown.notice).toEqual(notice)
    expect(reduced(shown, tick(NOW + ms - 1)).notice).toEqual(notice)
    expect(reduced(shown, tick(NOW + ms)).notice).toBeUndefined()
  })

  test('ends when a lost connection is open again if it reports an error', () => {
    const failed: ModelAction = { type: 'call_failed', text: 'x', now: NOW }
    const done: ModelAction = { type: 'call_done', text: 'x', now: NOW }
    const shown = (...actions: readonly ModelAction[]) => reduced(START, ...actions).notice?.text
    expect(shown(connection('lost'), failed, connection('open'))).toBeUndefined()
    expect(shown(connection('lost'), done, connection('open'))).toBe('x')
    expect(shown(failed, connection('open'))).toBe('x')
    expect(shown(connection('lost'), failed, connection('lost'))).toBe('x')
  })
})

test('calls without a response are counted, and never below zero', () => {
  const started: ModelAction = { type: 'call_started' }
  const done: ModelAction = { type: 'call_done', text: '', now: NOW }
  const failed: ModelAction = { type: 'call_failed', text: '', now: NOW }
  const counts = (...actions: readonly ModelAction[]) => reduced(START, ...actions).pendingCalls
  expect([counts(started, started), counts(started, started, done), counts(started, failed)]).toEqual([2, 1, 0])
  expect([counts(done), counts(failed)]).toEqual([0, 0])
})

describe('a created object', () => {
  const done = (created: object): ModelAction => ({ type: 'call_done', text: '', now: NOW, created }) as ModelAction
  const payment = done({ pane: 'payments', payment: createPayment('p1') })
  const payout = done({ pane: 'payouts', payout: createPayout('o1') })

  test('is added and selected in its pane, and the filter of the pane ends', () => {
    const filtered = reduced(START, { type: 'view', pane: 'payouts', change: { filter: 'x', sort: 1 } } as ModelAction)
    const model = reduced(filtered, payment, payout)
    expect([model.pane, model.listViews.payments.selectedId, model.listViews.payouts]).toEqual([
      'payouts',
      'p1',
      { selectedId: 'o1', sort: 1, filter: '' },
    ])
    expect(model.tables.payments.get('p1')).toEqual({
      id: 'p1',
      payment: createPayment('p1'),
      steps: [],
      lastMessageId: 0,
    })
    expect(model.tables.payouts.get('o1')).toEqual({
      id: 'o1',
      payout: createPayout('o1'),
      steps: [],
      lastMessageId: 0,
    })
  })

  test('does not replace a row that the stream added, and is not selected behind an overlay', () => {
    const known = reduced(START, receiveMessages(paymentMessage('p1', { status: 'failed' })) as ModelAction)
    expect(reduced(known, payment).tables).toBe(known.tables)
    const covered = reduced({ ...START, overlay: { kind: 'help' } }, payment)
    expect([covered.pane, covered.listViews, covered.tables.payments.has('p1')]).toEqual([
      'payments',
      START.listViews,
      true,
    ])
  })
})

test('history is loading until 1.5 s after the stream opened, or until the newest message that the lists include', () => {
  const open = reduced(START, connection('open'))
  expect(open.historyUntil).toBe(NOW + 1500)
  expect(reduced(open, connection('lost', NOW + 9)).historyUntil).toBe(NOW + 1500)
  const at = (ms: number, more: object = {}) => isHistoryLoading({ ...open, now: NOW + ms, ...more })
  expect([at(1499), at(1500)]).toEqual([true, false])
  expect([at(0, { lastHistoryId: 7, newestMessageId: 6 }), at(0, { lastHistoryId: 7, newestMessageId: 7 })]).toEqual([
    true,
    false,
  ])
  const lists = { payments: [], payouts: [], deliveries: [], requests: [] }
  const twice = [4, 9].map((lastMessageId): ModelAction => ({ type: 'lists', lists: { ...lists, lastMessageId } }))
  expect(reduced(START, ...twice).lastHistoryId).toBe(4)
})

describe('the rate', () => {
  const rates = { second: 100, counts: [1, 2, 3, 4, 5, 6, 7], failures: [0, 0, 0, 0, 0, 0, 1] }

  test.each([
    [99, [1, 2, 3, 4, 5, 6, 7], 100],
    [100, [1, 2, 3, 4, 5, 6, 7], 100],
    [101, [2, 3, 4, 5, 6, 7, 0], 101],
    [103, [4, 5, 6, 7, 0, 0, 0], 103],
  ])('at the second %i has the counts %j', (second, counts, at) => {
    expect(advanceTo(rates, second)).toMatchObject({ second: at, counts })
  })

  test('keeps as many seconds after a long pause', () => {
    const { counts, failures } = advanceTo(START.rates, START.rates.second + 100_000)
    expect([counts, failures]).toEqual([Array(RATE_SECONDS).fill(0), Array(RATE_SECONDS).fill(0)])
  })

  test('is averaged over the five full seconds before the current one', () => {
    expect(averageRate(rates)).toBe(4)
  })

  test('counts changes of status of a live stream, and the failures among them', () => {
    const batch = [
      { change: 'created', status: 'pending' },
      { change: 'status_changed', status: 'failed' },
      { change: 'status_changed', status: 'expired' },
      { change: 'updated', status: 'failed' },
      {},
    ].map((message) => ({ id: '1', data: '', message: { kind: 'payment', ...message } }))
    const count = (historyUntil: number) => countChanges({ ...START, historyUntil }, batch as never, NOW)
    expect([count(NOW).counts.at(-1), count(NOW).failures.at(-1)]).toEqual([3, 2])
    expect([count(NOW + 1).counts.at(-1), count(NOW + 1).failures.at(-1)]).toEqual([0, 0])
  })

  test('is the same object if a batch of the same second contains no change of status', () => {
    const batch = [{ id: '1', data: '', message: { kind: 'payment', change: 'updated', status: 'failed' } }]
    expect(countChanges({ ...START, historyUntil: NOW }, batch as never, NOW)).toBe(START.rates)
  })
})

describe('the detail of the selected row', () => {
  const received = receiveMessages(paymentMessage('p1'), paymentMessage('p2')) as ModelAction

  test('is loaded when another row is selected, and again when its row changes', () => {
    const [model, effects] = reduceModel(START, received)
    expect(effects).toEqual([{ do: 'load', pane: 'payments', id: 'p2' }])
    expect(model.detail).toEqual({
      pane: 'payments',
      id: 'p2',
      loading: true,
      events: [],
      deliveries: [],
      request: undefined,
      problem: undefined,
    })
    expect(reduceModel(model, tick(NOW))[1]).toEqual([])
    expect(reduceModel(model, receiveMessages(paymentMessage('p1')) as ModelAction)[1]).toEqual([])
    const again = reduceModel(model, receiveMessages(paymentMessage('p2')) as ModelAction)[1]
    expect(again).toEqual([{ do: 'load', pane: 'payments', id: 'p2' }])
  })

  test('is loaded again when a lost connection is open again, because it may contain an old error', () => {
    const [started, first] = reduceModel(reduced(START, received), connection('open'))
    expect(first).toEqual([])
    const again = reduceModel(reduced(started, connection('lost')), connection('open'))[1]
    expect(again).toEqual([{ do: 'load', pane: 'payments', id: 'p2' }])
    expect(reduceModel(reduced(START, connection('lost')), connection('open'))[1]).toEqual([])
  })

  test('takes what was loaded for it, and ignores what was loaded for another row', () => {
    const model = reduced(START, received)
    const load = (id: string, loaded: object, pane = 'payments') =>
      reduced(model, { type: 'detail_loaded', pane, id, loaded } as ModelAction).detail
    expect(load('p2', { events: [1] })).toEqual({ ...model.detail, loading: false, events: [1] })
    expect(load('p2', { problem: 'why' })).toEqual({ ...model.detail, loading: false, problem: 'why' })
    expect(load('p1', { events: [1] })).toBe(model.detail)
    expect(load('p2', { events: [1] }, 'payouts')).toBe(model.detail)
  })

  test('ends with the last row', () => {
    const model = reduced(START, received)
    const reset = receiveMessages({ kind: 'reset', at: '2026-05-06T12:00:00.000Z', command: 'reset' }) as ModelAction
    expect(reduced(model, reset).detail).toBeUndefined()
  })
})
