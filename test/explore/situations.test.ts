// Each situation is reached by the smallest run that has it, and not by one that differs in one point.
import { expect, test } from 'vitest'
import { SITUATION_TITLES, situationsOf } from '../../src/explore/situations.ts'
import type { StoryEvent } from '../../src/explore/story-event.ts'
import type { StoryRun } from '../../src/explore/story-run.ts'

const event = (key: string, name: string, more: object = {}) =>
  ({
    key,
    name,
    order: 'o1',
    object: 'p1',
    snapshot: { status: 'succeeded', amount: 100, refunded: 0 },
    ...more,
  }) as unknown as StoryEvent

const refunded = (amount: number, status = 'succeeded') => ({ snapshot: { status, amount: 100, refunded: amount } })

const EVENTS = [
  event('paid', 'payment.succeeded'),
  event('paid again', 'payment.succeeded', { object: 'p2' }),
  event('paid elsewhere', 'payment.succeeded', { order: 'o2', object: 'p3' }),
  event('part', 'payment.refunded', refunded(30)),
  event('whole', 'payment.refunded', refunded(100, 'refunded')),
  event('part of another', 'payment.refunded', { object: 'p2', ...refunded(30) }),
  event('failed refund', 'payment.refunded', refunded(0)),
  event('expired', 'payment.expired', { object: 'p2' }),
  event('expired elsewhere', 'payment.expired', { order: 'o2', object: 'p3' }),
  event('payout', 'payout.succeeded', { order: undefined, object: 'x1' }),
  event('unrelated', 'payment.succeeded', { order: 'unrelated', object: 'p4' }),
]

const RESPONSES = {
  ok: { status: 200 },
  refused: { status: 300 },
  lost: { status: 200, error: 'gone', code: 'ABANDONED' },
  closed: { error: 'closed' },
} as const

type Sent = string | readonly [key: string, response: keyof typeof RESPONSES]

/** Each list is a round of messages that are sent at the same time. */
function reached(...rounds: readonly (readonly Sent[])[]): string[] {
  const messages = (round: readonly Sent[]) =>
    round.map((sent) => {
      const [key, response] = typeof sent === 'string' ? ([sent, 'ok'] as const) : sent
      return { event: key, response: RESPONSES[response] }
    })
  const result = { rounds: rounds.map((round) => ({ messages: messages(round) })) }
  return situationsOf({ enacted: { events: EVENTS }, result } as unknown as StoryRun)
}

test.each<[title: string, rounds: Sent[][], other: Sent[][]]>([
  ['refund before its payment', [['part'], ['paid']], [['part', 'paid']]],
  ['refund before its payment', [['part'], ['paid']], [['part'], ['paid again']]],
  ['later refund before an earlier one', [['whole'], ['part']], [['part'], ['whole']]],
  ['later refund before an earlier one', [['whole', 'part']], [['part'], ['part']]],
  ['later refund before an earlier one', [['whole'], ['part']], [['whole'], ['part of another']]],
  ['later refund before an earlier one', [['whole'], ['part']], [['whole'], ['paid']]],
  ['expired, failed or cancelled after payment', [['paid'], ['expired']], [['paid', 'expired']]],
  ['expired, failed or cancelled after payment', [['paid'], ['expired']], [['paid'], ['expired elsewhere']]],
  ['second copy while the first is being handled', [['paid', 'paid']], [['paid'], ['paid']]],
  ['second copy after the first', [['paid'], ['paid']], [['paid', 'paid']]],
  ['second copy after the first', [['paid'], ['paid']], [[['paid', 'refused']], ['paid']]],
  ['two events of one order at once', [['paid', 'paid again']], [['paid', 'paid elsewhere']]],
  ['two events of one order at once', [['paid', 'paid again']], [['paid', 'paid']]],
  ['response lost, then sent again', [[['paid', 'lost']], ['paid']], [[['paid', 'closed']], ['paid']]],
  ['refused, then accepted', [[['paid', 'refused']], ['paid']], [[['paid', 'refused']], [['paid', 'refused']]]],
  ['refused, then accepted', [[['paid', 'closed']], ['paid']], [[['paid', 'lost']], ['paid']]],
  ['refused, then accepted', [[['paid', 'refused']], ['paid']], [[['paid', 'refused']], ['part']]],
  ['refund that failed or is pending', [['failed refund']], [['part']]],
  ['several refunds of one payment', [['part'], ['whole']], [['part'], ['part']]],
  ['paid again after a full refund', [['whole'], ['paid again']], [['part'], ['paid again']]],
  ['paid again after a full refund', [['whole'], ['paid again']], [['whole'], ['paid']]],
  ['paid again after a full refund', [['whole'], ['paid again']], [['whole'], ['paid elsewhere']]],
  ['payout', [['payout']], [['paid']]],
  ['event of another order in between', [['unrelated']], [['paid elsewhere']]],
])('%s: %j reaches it, and %j does not', (title, rounds, other) => {
  expect([reached(...rounds).includes(title), reached(...other).includes(title)]).toEqual([true, false])
})

test('a run reaches several situations in the order of the list, and unknown events are ignored', () => {
  const all = reached(['part'], ['paid'], ['payout'], ['unknown'])
  expect(all).toEqual(SITUATION_TITLES.filter((title) => all.includes(title)))
  expect(all).toEqual(['refund before its payment', 'payout'])
  expect(reached()).toEqual([])
})
