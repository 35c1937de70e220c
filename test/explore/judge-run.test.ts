// Each rule finds its bug in a run whose probes show it, and nothing in a run of a correct handler.
import { describe, expect, test } from 'vitest'
import { judgeBothRuns, judgeRun } from '../../src/explore/judge-run.ts'
import type { Meanings } from '../../src/explore/learn-meanings.ts'
import { fittingMeasures } from '../../src/explore/quantities.ts'
import type { Schedule } from '../../src/explore/schedule.ts'
import type { OrderState } from '../../src/explore/story-event.ts'
import { EXPIRED, PAID, PROBE, reading, refund, storyRunOf, UNRELATED_PAID } from './story-runs.ts'

const SHOWN_STATES = new Map<OrderState, string>([
  ['paid', 'Paid'],
  ['part_refunded', 'Partly'],
  ['refunded', 'Returned'],
  ['expired', 'Open'],
])
const totals = { received: 3000, refunded: 500, paidOut: 7, paidPayments: 2, paidOrders: 1 }
const measures = (value: number) => fittingMeasures([{ totals, value }])
const MEANINGS: Meanings = {
  states: new Map([[`${PROBE} $.state`, SHOWN_STATES]]),
  numbers: new Map([[`${PROBE} $.received`, measures(30)]]),
  shopNumbers: new Map([['balance $', measures(25)]]),
  volatile: new Set(),
}
const judged = (...given: Parameters<typeof storyRunOf>) => judgeRun(storyRunOf(...given), MEANINGS)
const unrelated = { order: 'unrelated' } as const

const truth = (path: string, got: string, states: string, expected = states) => ({
  oracle: 'truth',
  cause: `state ${PROBE} ${path} ${got}`,
  title: `${PROBE}: ${path} is ${got}, but the order is ${states}.`,
  got: `${path}: ${got}`,
  expected: `${path}: ${expected}`,
  order: 'main',
  probe: PROBE,
})

describe('the state at the end of a run', () => {
  test('may be any state that the events allow', () => {
    expect(judged(PAID, { end: [reading({ state: 'Paid' })] })).toBeUndefined()
    expect(judged([...PAID, refund('r1', 30)], { end: [reading({ state: 'Partly' })] })).toBeUndefined()
    const paidAgain = [...PAID, refund('r1', 0), ...renamed('p2')]
    for (const state of ['Paid', 'Partly'])
      expect(judged(paidAgain, { end: [reading({ state })] }), state).toBeUndefined()
    expect(judged(paidAgain, { end: [reading({ state: 'Open' })] })).toEqual(
      truth('$.state', 'Open', 'paid or partly refunded', 'Paid or Partly'),
    )
  })

  test('is wrong if no event leads to it', () => {
    expect(judged(PAID, { end: [reading({ state: 'Open' })] })).toEqual(truth('$.state', 'Open', 'paid', 'Paid'))
    expect(judged(PAID, { end: [reading({})] })).toEqual(truth('$.state', '(nothing)', 'paid', 'Paid'))
  })

  test('is not judged if the simple stories did not show it, or if nothing was sent about the order', () => {
    const cancelled = [PAID[0], { do: 'cancel', payment: 'p1' }] as typeof PAID
    expect(judged(cancelled, { end: [reading({ state: 'Paid' })] })).toBeUndefined()
    expect(judged(PAID, { end: [reading({ state: 'Open' }, unrelated)] })).toBeUndefined()
    expect(judged(PAID, { end: [reading({ state: 'Open' }, { probe: `${PROBE}/other` })] })).toBeUndefined()
  })

  test.each(['status', 'state', 'payment_STATE'])('the field %s must not be refunded if the order is paid', (field) => {
    const shown = { end: [reading({ [field]: 'REFUNDED', state: field === 'state' ? 'REFUNDED' : 'Paid' })] }
    const learned = { ...MEANINGS, states: new Map() }
    for (const [steps, states] of [
      [PAID, 'paid'],
      [[...PAID, refund('r1', 30)], 'partly refunded'],
    ] as const)
      expect(judgeRun(storyRunOf(steps, shown), learned)).toEqual(truth(`$.${field}`, 'REFUNDED', states))
    expect(judgeRun(storyRunOf([...PAID, refund('r1', 0)], shown), learned)).toBeUndefined()
  })

  test.each([
    { state_of_refund: 'refunded' },
    { status: 'not refunded' },
    { status: 'refunded_in_part' },
    { refunds: [{ status: 'refunded' }] },
    { 'A-1': { status: 'refunded' } },
  ])('the value %j does not say that the order is refunded', (value) => {
    const learned = { ...MEANINGS, states: new Map() }
    expect(judgeRun(storyRunOf(PAID, { end: [reading(value)] }), learned)).toBeUndefined()
  })
})

describe('a round', () => {
  const back = (kinds: string) => ({
    oracle: 'no_way_back',
    cause: `state ${PROBE} $.state Open`,
    title: `${kinds} $.state of ${PROBE} from Paid to Open.`,
    got: '$.state: Open',
    expected: '$.state: Paid',
    order: 'main',
    probe: PROBE,
  })
  const PAID_AND_EXPIRED = [...PAID, ...EXPIRED]
  const paid = reading({ state: 'Paid' })
  const open = reading({ state: 'Open' })

  test('must not change a correct state to a wrong one', () => {
    const rounds = [[['pay p1'], [paid]] as const, [['expire p2'], [open]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds })).toEqual(back('payment.expired changes'))
    const together = [[['pay p1'], [paid]] as const, [['expire p2', 'pay p1', 'pay p1'], [open]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds: together })).toEqual(back('payment.expired and payment.succeeded change'))
    const third = [[['pay p1'], [paid]] as const, [['pay p1'], [paid]] as const, [['expire p2'], [open]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds: third })).toEqual(back('payment.expired changes'))
  })

  test('does not make a state wrong that was wrong before', () => {
    const wrong = reading({ state: 'Returned' })
    const rounds = [[['pay p1'], [wrong]] as const, [['expire p2'], [open]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds })).toBeUndefined()
  })

  test('makes no state wrong if it changes it to the right one, or if no event was accepted', () => {
    const rounds = [[['expire p2'], [open]] as const, [['pay p1'], [paid]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds })).toBeUndefined()
    const unaccepted = [[[], [paid]] as const, [[], [open]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds: unaccepted })).toBeUndefined()
    const unread = [[['pay p1'], []] as const, [['expire p2'], [open]] as const]
    expect(judged(PAID_AND_EXPIRED, { rounds: unread })).toBeUndefined()
  })
})

describe('a number of the order', () => {
  const money = (got: string, direction: string, path = '$.received', name = `${path} of ${PROBE}`) => ({
    oracle: 'money',
    cause: `money ${PROBE} ${path} ${direction}`,
    title: `${name} is ${got}, but it must be 1000 (received).`,
    got: `${name} is ${got}`,
    expected: `${name} is 1000`,
    probe: PROBE,
    order: 'main',
  })
  const shown = (received: unknown) => ({ end: [reading({ state: 'Paid', received })] })

  test('must equal a sum of the events', () => {
    for (const right of [1000, '1000.00', 1000.001]) expect(judged(PAID, shown(right))).toBeUndefined()
    expect(judged(PAID, shown(1000.009))).toEqual(money('1000.01', 'too high'))
    expect(judged(PAID, shown('999.50'))).toEqual(money('999.5', 'too low'))
  })

  test('is not judged if it is not shown, or is the last of several', () => {
    expect(judged(PAID, shown('many'))).toBeUndefined()
    const last = { ...MEANINGS, numbers: new Map([[`${PROBE} $.last_amount`, measures(30)]]) }
    expect(judgeRun(storyRunOf(PAID, { end: [reading({ state: 'Paid', last_amount: 1 })] }), last)).toBeUndefined()
    const other = { ...MEANINGS, numbers: new Map([['orders $.received', measures(30)]]) }
    expect(judgeRun(storyRunOf(PAID, { end: [reading({ received: 1 })] }), { ...other, states: new Map() })).toBe(
      undefined,
    )
  })

  test('has the name of the probe if the probe shows nothing else', () => {
    const plain = { ...MEANINGS, states: new Map(), numbers: new Map([[`${PROBE} $`, measures(30)]]) }
    expect(judgeRun(storyRunOf(PAID, { end: [reading('2000')] }), plain)).toEqual(money('2000', 'too high', '$', PROBE))
  })
})

describe('a number of the shop', () => {
  const shop = (before: string, after: string, probe = 'balance') => ({ shop: [{ probe, before, after }] })

  test('must change by a sum of the events', () => {
    expect(judged([...PAID, refund('r1', 30)], shop('100', '800'))).toBeUndefined()
    expect(judged([...PAID, refund('r1', 30)], shop('100', '1100'))).toEqual({
      oracle: 'money',
      cause: 'money balance $ too high',
      title: 'balance changed by 1000, but it must be 700 (received minus refunded).',
      got: 'balance changed by 1000',
      expected: 'balance changed by 700',
      probe: 'balance',
    })
  })

  test('may be any of the sums that fit, and the finding lists them once each', () => {
    const either = {
      ...MEANINGS,
      shopNumbers: new Map([['balance $', [...measures(25), ...measures(30), ...measures(25)]]]),
    }
    const run = (after: string) => judgeRun(storyRunOf([...PAID, refund('r1', 30)], shop('0', after)), either)
    expect([run('700'), run('1000')]).toEqual([undefined, undefined])
    expect(run('300')).toMatchObject({ cause: 'money balance $ too low', expected: 'balance changed by 700 or 1000' })
  })

  test('is not judged if no sum fitted in the simple stories', () => {
    expect(judged(PAID, shop('100', '101', 'visits'))).toBeUndefined()
  })
})

describe('events that are sent again', () => {
  const resent = (before: object, after: object) =>
    judged([...PAID, refund('r1', 0), ...renamed('p2')], { end: [reading(before)], afterResend: [reading(after)] })

  test('must not change a field', () => {
    expect(resent({ state: 'Paid', credits: 1 }, { state: 'Paid', credits: 2 })).toEqual({
      oracle: 'idempotence',
      cause: `idempotence ${PROBE} $.credits`,
      title: `The same events change $.credits of ${PROBE} when they are sent again.`,
      got: '2',
      expected: '1',
      order: 'main',
      probe: PROBE,
    })
    expect(resent({ state: 'Paid', credits: 1 }, { state: 'Paid', credits: 1 })).toBeUndefined()
  })

  test('may change one allowed state to another, but not to a wrong one', () => {
    expect(resent({ state: 'Paid' }, { state: 'Partly' })).toBeUndefined()
    expect(resent({ state: 'Paid' }, { state: 'Returned' })).toMatchObject({ oracle: 'idempotence', got: 'Returned' })
    expect(resent({ state: 'Returned' }, { state: 'Paid' })).toMatchObject({ oracle: 'idempotence', got: 'Paid' })
  })

  test('are compared with the reading of the same order and payment', () => {
    const end = [reading({ n: 1 }, unrelated), reading({ n: 2 }, { payment: 'p1' })]
    const again = { end, afterResend: [reading({ n: 3 }), reading({ n: 2 }, { payment: 'p1' })] }
    expect(judgeRun(storyRunOf(PAID, again), { ...MEANINGS, states: new Map() })).toBeUndefined()
  })
})

describe('the unrelated order', () => {
  const BOTH = [...PAID, ...UNRELATED_PAID]
  const wrong = { end: [reading({ state: 'Paid' }), reading({ state: 'Open' }, unrelated)] }
  const isolation = {
    oracle: 'isolation',
    cause: `isolation state ${PROBE} $.state Open`,
    title: `Events of one order change another order. ${PROBE}: $.state is Open, but the order is paid.`,
    order: 'unrelated',
  }

  test('is changed by the other order if its own events were sent once', () => {
    expect(judged(BOTH, wrong)).toMatchObject(isolation)
    const received = { end: [reading({ state: 'Paid', received: 1 }, unrelated)] }
    expect(judged(BOTH, received)).toMatchObject({
      oracle: 'isolation',
      cause: `isolation money ${PROBE} $.received too low`,
      expected: `$.received of ${PROBE} is 500`,
    })
  })

  test.each<[string, object[]]>([
    ['twice', [{ event: 'pay u1', copies: 2 }]],
    [
      'again',
      [
        { event: 'pay u1', copies: 1 },
        { event: 'pay u1', copies: 1 },
      ],
    ],
    ['with a lost response', [{ event: 'pay u1', copies: 1, response_lost: true }]],
    ['never', []],
  ])('may be wrong by itself if its event was sent %s', (_, sent) => {
    const schedule = [[{ event: 'pay p1', copies: 1 }], ...sent.map((one) => [one])] as never
    expect(judged(BOTH, { ...wrong, schedule })).toMatchObject({ oracle: 'truth', order: 'unrelated' })
    const received = { end: [reading({ state: 'Paid', received: 1 }, unrelated)], schedule }
    expect(judged(BOTH, received)).toMatchObject({ oracle: 'money', order: 'unrelated' })
  })

  test('may be wrong by itself if the story has no other order', () => {
    expect(judged(UNRELATED_PAID, wrong)).toMatchObject({ oracle: 'truth', order: 'unrelated' })
  })
})

describe('two runs of the same events', () => {
  const BOTH = [...PAID, ...UNRELATED_PAID]
  const compared = (left: ReturnType<typeof reading>[], right: ReturnType<typeof reading>[], schedule?: Schedule) =>
    judgeBothRuns(
      storyRunOf(BOTH, { end: left }),
      storyRunOf(BOTH, { end: right, ...(schedule !== undefined && { schedule }) }),
      MEANINGS,
    )
  const differs = (oracle: string, order: string) => ({
    oracle,
    cause: `${oracle} ${PROBE} $.n`,
    title: `In a different delivery order, the same events end with $.n of ${PROBE} = 2, not 1.`,
    got: '$.n: 2',
    expected: '$.n: 1, as in order',
    order,
    probe: PROBE,
  })

  test('must end with the same fields, except those that show the state', () => {
    expect(compared([reading({ n: 1 })], [reading({ n: 1 })])).toBeUndefined()
    expect(compared([reading({ n: 1 })], [reading({ n: 2 })])).toEqual(differs('convergence', 'main'))
    expect(compared([reading({ state: 'Paid' })], [reading({ state: 'Open' })])).toBeUndefined()
    expect(compared([reading({ n: 1 }, unrelated)], [reading({ n: 2 })])).toBeUndefined()
  })

  test('differ by the events of another order if those of the unrelated order were sent once', () => {
    const twice = [[{ event: 'pay p1', copies: 1 }], [{ event: 'pay u1', copies: 2 }]]
    const [one, two] = [reading({ n: 1 }, unrelated), reading({ n: 2 }, unrelated)]
    expect(compared([one], [two])).toEqual(differs('isolation', 'unrelated'))
    expect(compared([one], [two], twice)).toEqual(differs('convergence', 'unrelated'))
    expect(compared([reading({ n: 1 })], [reading({ n: 2 })])).toMatchObject({ oracle: 'convergence' })
  })
})

/** A second payment of the main order. */
function renamed(payment: string): typeof PAID {
  return [
    { do: 'create', payment, order: 'main' },
    { do: 'pay', payment },
  ]
}
