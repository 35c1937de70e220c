// The fix of a finding is that of its cause.
import { expect, test } from 'vitest'
import { adviceFor } from '../../src/explore/advice.ts'
import { enactStory } from '../../src/explore/enact-story.ts'
import { rejectionFix } from '../../src/explore/judge-availability.ts'
import { inOrderSchedule, type Schedule } from '../../src/explore/schedule.ts'
import type { StoryStep } from '../../src/explore/story.ts'
import type { OracleId } from '../../src/explore/violation.ts'
import { seededRandomness } from '../../src/random.ts'

const created = (...payments: readonly string[]): StoryStep[] =>
  payments.map((payment) => ({ do: 'create', payment, order: 'main' }))
const refund = (
  name: string,
  percent: number,
  result: 'succeeded' | 'failed' = 'succeeded',
  payment = 'p1',
): StoryStep => ({
  do: 'refund',
  payment,
  refund: name,
  percent,
  result,
})
const PAID: StoryStep[] = [...created('p1'), { do: 'pay', payment: 'p1' }]
const EXPIRED_AND_PAID: StoryStep[] = [
  ...created('p2', 'p1'),
  { do: 'expire', payment: 'p2' },
  { do: 'pay', payment: 'p1' },
]
const round = (...events: readonly string[]) => events.map((event) => ({ event, copies: 1 }))

function fixOf(oracle: OracleId, steps: readonly StoryStep[], given?: Schedule): string | undefined {
  const story = { amounts: { main: 1000, unrelated: 1000 }, steps }
  const ids = { random: seededRandomness('advice'), orders: { main: 'A', unrelated: 'B' }, start: 0 }
  const { events } = enactStory(story, ids)
  const schedule = given ?? inOrderSchedule(events.map(({ key }) => key))
  return adviceFor(oracle, { story, schedule, resendsAll: false }, events)
}

const CAUSES: readonly (readonly [cause: string, fix: string | undefined, begins: string])[] = [
  ['two copies at once', fixOf('money', PAID, [[{ event: 'pay p1', copies: 2 }]]), 'Two copies that arrive'],
  ['a copy after the first', fixOf('money', PAID, [round('pay p1'), round('pay p1')]), 'Store event ids'],
  ['a lost response', fixOf('money', PAID, [[{ event: 'pay p1', copies: 1, response_lost: true }]]), 'Store event ids'],
  ['two events at once', fixOf('money', EXPIRED_AND_PAID, [round('expire p2', 'pay p1')]), 'Events that are handled'],
  ['another order', fixOf('isolation', PAID), 'Find the order by'],
  ['a payout', fixOf('money', [{ do: 'payout', payout: 'o1', result: 'failed' }]), 'Lower the balance only'],
  ['several refunds', fixOf('money', [...PAID, refund('r1', 30), refund('r2', 20)]), 'All refunds of a payment'],
  [
    'the sum of a failed refund',
    fixOf('money', [...PAID, refund('r1', 30, 'failed')]),
    'A refund can fail or stay pending. data.',
  ],
  [
    'the state of a failed refund',
    fixOf('truth', [...PAID, refund('r1', 30, 'failed')]),
    'A refund can fail or stay pending. Do not',
  ],
  [
    'an early refund',
    fixOf('money', [...PAID, refund('r1', 30)], [round('refund r1'), round('pay p1')]),
    'A refund can arrive before',
  ],
  [
    'a late failure',
    fixOf('no_way_back', EXPIRED_AND_PAID, [round('pay p1'), round('expire p2')]),
    'Let a failed, expired',
  ],
  ['a payment after a failure', fixOf('money', EXPIRED_AND_PAID), 'An order can be paid after'],
  [
    'a second payment after a refund',
    fixOf('truth', [...PAID, refund('r1', 0), ...created('p2'), { do: 'pay', payment: 'p2' }]),
    'Keep each payment of the order',
  ],
  ['the state after a partial refund', fixOf('truth', [...PAID, refund('r1', 30)]), 'A payment is fully refunded only'],
  ['a rounded amount', fixOf('money', PAID), 'Store amounts as integers'],
]

test.each(CAUSES)('the fix for %s is about this cause', (_, fix, begins) => {
  expect(fix?.startsWith(begins) ? begins : fix).toBe(begins)
})

test('no two causes share a fix, except two kinds of late copies', () => {
  expect(new Set(CAUSES.map(([, fix]) => fix)).size).toBe(CAUSES.length - 1)
})

test.each(['truth', 'money', 'convergence'] as const)(
  'the fix for %s separates the payments of an order if the failed refund belongs to another one than the lost sum',
  (oracle) => {
    const secondPaid: StoryStep[] = [...created('p2'), { do: 'pay', payment: 'p2' }]
    const steps = [...PAID, refund('r1', 0), ...secondPaid, refund('r2', 0, 'failed', 'p2')]
    expect(fixOf(oracle, steps)).toMatch(/^Keep each payment of the order in a separate row/)
  },
)

test('the fix is about failed refunds if only a payment of another order was refunded', () => {
  const steps: StoryStep[] = [
    { do: 'create', payment: 'u1', order: 'unrelated' },
    { do: 'pay', payment: 'u1' },
    refund('r2', 0, 'succeeded', 'u1'),
    ...PAID,
    refund('r1', 0, 'failed'),
  ]
  expect(fixOf('truth', steps)).toMatch(/^A refund can fail or stay pending\. Do not/)
})

test('a refused event has a fix for each kind of last response', () => {
  const kinds = [
    rejectionFix({}, 'payment.failed', false),
    rejectionFix({ status: 200, error: 'broken off' }, 'payment.failed', false),
    rejectionFix({ status: 409 }, 'payment.failed', true),
    ...[302, 400, 404, 409, 413, 429, 500].map((status) => rejectionFix({ status }, 'payment.failed', false)),
  ]
  expect(new Set(kinds).size).toBe(kinds.length)
})
