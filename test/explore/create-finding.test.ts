// A finding shows each message of its smallest case, the response, and the state after it.
import { describe, expect, test } from 'vitest'
import type { HandlerResponse } from '../../src/audit/ports.ts'
import { createFinding } from '../../src/explore/finding.ts'
import type { Meanings } from '../../src/explore/learn-meanings.ts'
import { fittingMeasures } from '../../src/explore/quantities.ts'
import type { StoryStep } from '../../src/explore/story.ts'
import type { StoryRun } from '../../src/explore/story-run.ts'
import { ORACLES, type Violation } from '../../src/explore/violation.ts'
import { PAID, PROBE, reading, refund, storyRunOf, UNRELATED_PAID } from './story-runs.ts'

const UNKNOWN: Meanings = { states: new Map(), numbers: new Map(), shopNumbers: new Map(), volatile: new Set() }
const VIOLATION: Violation = { oracle: 'truth', cause: 'c', title: 't', got: 'g', expected: 'e' }
const RATE = { rate: { failed: 1, of: 1 }, shrunk: true } as const

function found(
  steps: readonly StoryStep[],
  shown: Parameters<typeof storyRunOf>[1],
  { meanings = UNKNOWN, violation = VIOLATION, resendsAll = false, broken = undefined as 'gone' | undefined } = {},
) {
  const plain = storyRunOf(steps, shown)
  const storyRun: StoryRun = { ...plain, result: { ...plain.result, broken } }
  const given = { story: storyRun.enacted.story, schedule: storyRun.schedule, resendsAll }
  return createFinding({ case: given, violation, inOrder: undefined, scheduled: storyRun, sent: 0 }, meanings, RATE)
}

const STEPS = [
  ...PAID,
  refund('r1', 30),
  ...UNRELATED_PAID,
  { do: 'payout', payout: 'o1', result: 'succeeded' } as const,
]

test('a row has the event with its sums, the response and, after the round, the shown and the true state', () => {
  const rounds = [
    [['refund r1'], [reading({ status: 'new' })]],
    [
      ['pay p1', 'pay u1', 'payout o1'],
      [reading({ status: 'paid' }), reading('', { order: 'unrelated' })],
    ],
  ] as const
  expect(found(STEPS, { rounds }).rows).toEqual([
    {
      round: 1,
      sent: 'payment.refunded p1 (300.00 of 1000.00 refunded)',
      response: '200',
      state: 'status=new',
      expected: 'partly refunded',
    },
    { round: 2, sent: 'payment.succeeded p1 (1000.00)', response: '200', state: '', expected: '' },
    { round: 2, sent: 'payment.succeeded u1 of another order (500.00)', response: '200', state: '', expected: '' },
    {
      round: 2,
      sent: 'payout.succeeded o1 (1000.00)',
      response: '200',
      state: 'status=paid; (nothing)',
      expected: 'partly refunded; paid',
    },
  ])
})

test('a row names a failed refund, unlike the row of the event before it', () => {
  const failed = { do: 'refund', payment: 'p1', refund: 'r2', percent: 50, result: 'failed' } as const
  const rounds = [
    [['refund r1'], []],
    [['refund r2'], []],
  ] as const
  expect(found([...PAID, refund('r1', 30), failed], { rounds }).rows.map(({ sent }) => sent)).toEqual([
    'payment.refunded p1 (300.00 of 1000.00 refunded)',
    'payment.refunded p1 (a refund failed, 300.00 of 1000.00 refunded)',
  ])
})

test('a row of an event that is not in the story has its key, and a state without events has a dash', () => {
  const rounds = [[['pay p9'], [reading({ status: 'new' })]]] as const
  expect(found(PAID, { rounds }).rows).toEqual([
    { round: 1, sent: 'pay p9', response: '200', state: 'status=new', expected: '-' },
  ])
})

describe('the state of a row', () => {
  const stateOf = (value: unknown, meanings = UNKNOWN) =>
    found(PAID, { rounds: [[['pay p1'], [reading(value)]]] }, { meanings }).rows[0]?.state

  test('has up to four fields, without those that depend on the order of delivery', () => {
    expect(stateOf({ last_event: 'x', a: 1, b: { c: 'two' }, d: null, e: true, f: 5 })).toBe(
      'a=1 b.c=two d=null e=true',
    )
    expect(stateOf({ last_event: 'x' })).toBe('(nothing)')
  })

  test('is the value itself if the probe shows no fields', () => {
    expect(stateOf('paid')).toBe('paid')
  })

  test('has only the fields that show a state or a sum, if there are some', () => {
    const value = { note: 'x', status: 'paid', sum: 1 }
    const states = new Map([[`${PROBE} $.status`, new Map()]])
    const totals = { received: 1, refunded: 0, paidOut: 0, paidPayments: 0, paidOrders: 0 }
    const numbers = new Map([[`${PROBE} $.sum`, fittingMeasures([{ totals, value: 1 }])]])
    expect(stateOf(value, { ...UNKNOWN, states })).toBe('status=paid')
    expect(stateOf(value, { ...UNKNOWN, numbers })).toBe('sum=1')
    expect(stateOf(value, { ...UNKNOWN, states, numbers })).toBe('status=paid sum=1')
  })
})

test.each<[Partial<HandlerResponse>, string]>([
  [{ status: 500 }, '500'],
  [{ status: 200, error: 'x', code: 'ETIMEDOUT' }, '200, no end'],
  [{ status: 200, error: 'x', code: 'ECONNRESET' }, '200, broken off'],
  [{ error: 'x', code: 'ETIMEDOUT' }, 'none in time'],
  [{ error: 'x', code: 'ECONNREFUSED' }, 'refused'],
  [{ error: 'x', code: 'ABANDONED' }, 'lost'],
  [{ error: 'x', code: 'ECONNRESET' }, 'closed'],
  [{ error: 'x' }, 'closed'],
])('the response %j is shown as "%s"', (response, text) => {
  const storyRun = storyRunOf(PAID)
  const messages = [{ event: 'pay p1', response: { ms: 1, text: '', ...response } }]
  const result = { ...storyRun.result, rounds: [{ messages, accepted: [], readings: [] }] }
  const given = { story: storyRun.enacted.story, schedule: storyRun.schedule, resendsAll: false }
  const evaluation = {
    case: given,
    violation: VIOLATION,
    inOrder: { ...storyRun, result },
    scheduled: undefined,
    sent: 0,
  }
  expect(createFinding(evaluation, UNKNOWN, RATE).rows[0]?.response).toBe(text)
})

describe('a finding', () => {
  const rounds = [[['pay p1'], []]] as const

  test('has the texts of its rule unless the violation has others', () => {
    const { why, fix } = ORACLES.idempotence
    const plain = found(PAID, { rounds }, { violation: { ...VIOLATION, oracle: 'idempotence' } })
    expect(plain).toMatchObject({
      id: 'idempotence',
      cause: 'c',
      title: 't',
      got: 'g',
      expected: 'e',
      why,
      fix,
      ...RATE,
    })
    expect(plain).not.toHaveProperty('probe')
    const special = found(PAID, { rounds }, { violation: { ...VIOLATION, why: 'because', fix: 'do it' } })
    expect(special).toMatchObject({ why: 'because', fix: 'do it' })
  })

  test('has the advice for its cause, if there is one', () => {
    const { fix } = found(PAID, { rounds }, { violation: { ...VIOLATION, oracle: 'isolation' } })
    expect(fix).toMatch(/^Find the order by data\.order_id/)
  })

  test('names its probe, and whether it is asked for each order', () => {
    const probed = (more: Partial<Violation>) =>
      found(PAID, { rounds }, { violation: { ...VIOLATION, probe: 'x', ...more } })
    expect(probed({ order: 'main' }).probe).toEqual({ label: 'x', isPerOrder: true })
    expect(probed({}).probe).toEqual({ label: 'x', isPerOrder: false })
  })

  test('counts its messages and steps, also those that are sent again', () => {
    const twice = { rounds, schedule: [[{ event: 'pay p1', copies: 2 }]] }
    expect(found(PAID, twice)).toMatchObject({ deliveries: 2, steps: 2, repeated: false })
    expect(found(PAID, twice, { resendsAll: true })).toMatchObject({ deliveries: 3, steps: 2, repeated: true })
  })

  test('counts only what was sent if the handler stopped, and nothing is repeated', () => {
    const twice = { rounds, schedule: [[{ event: 'pay p1', copies: 2 }]] }
    expect(found(PAID, twice, { resendsAll: true, broken: 'gone' })).toMatchObject({ deliveries: 1, repeated: false })
  })

  test('has the case with new names, which its rows show too', () => {
    const steps: StoryStep[] = [
      { do: 'create', payment: 'p7', order: 'main' },
      { do: 'pay', payment: 'p7' },
    ]
    const { rows, case: renumbered } = found(steps, { rounds: [[['pay p7'], []]] })
    expect(rows[0]?.sent).toBe('payment.succeeded p1 (1000.00)')
    expect(renumbered.story.steps).toEqual(PAID)
    expect(renumbered.schedule).toEqual([[{ event: 'pay p1', copies: 1 }]])
  })
})
