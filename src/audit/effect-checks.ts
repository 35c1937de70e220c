// Spec 6.1 and 3: repeated, reordered and late events. A 2xx does not show whether they had the correct effect, so
// probes judge them.
import type { Check, Message, MessageValues, Step } from './check.ts'
import {
  changes,
  compareEffects,
  type Effect,
  formatEffect,
  hasChanged,
  hasExistingChanged,
  type Judgement,
  mergeEffects,
  RIGHT,
  truncate,
  unseen,
  wrong,
} from './effect.ts'
import { buildMessage } from './message.ts'
import { isOwnId, keyOf } from './probe-fields.ts'
import { HANDLE_REFUNDS, isBalance, isRefundedAmount, SHOW_REFUNDS } from './refund-fields.ts'
import { eventBody, paidPayment, refunded, type Sample, share, subjectOf } from './sample.ts'

const ONCE = 'Store event ids under a unique key, in the transaction that does the work. Respond 2xx to a known id.'
const NO_MOVE = 'the value of the probe did not change when a payment succeeded'

export const EFFECT_CHECKS = [
  {
    id: 'duplicates',
    title: 'counts an event once, however often it is sent',
    sent: 'payment.succeeded five times at once and then again, and the same with its payment.refunded',
    expect: 'accept',
    expected: '2xx each time, and the effect of one event',
    why: 'Events are sent more than once. If a handler counts each copy, it credits, ships or refunds twice.',
    fix: ONCE,
    steps(values) {
      const [once, often] = [paidPayment(values), paidPayment(values)]
      return [
        ...repeated(values, once, often),
        ...repeated(values, partlyRefunded(values, once), partlyRefunded(values, often)),
      ]
    },
    judge([onceAlone, fiveTimes, again, refundAlone, refundFive, refundAgain]) {
      if (!onceAlone || !fiveTimes || !again || !refundAlone || !refundFive || !refundAgain) return unseen(NO_MOVE)
      if (!hasChanged(onceAlone) && !hasChanged(fiveTimes)) return unseen(NO_MOVE)
      return (
        countedTwice('payment.succeeded', onceAlone, fiveTimes, again) ??
        countedTwice('payment.refunded', refundAlone, refundFive, refundAgain) ??
        judgeComparison(onceAlone, fiveTimes)
      )
    },
  },
  {
    id: 'out_of_order',
    needsOrderProbe: true,
    title: 'handles events that arrive out of order',
    sent: 'payment.refunded (partial) before the payment.succeeded of the same payment',
    expect: 'accept',
    expected: '2xx in the end, and the same final state as in order',
    why: 'A retried webhook arrives after later ones. If a handler lets the last one win, it loses the refund, and treats the whole amount as paid.',
    fix: 'Ignore data that is older than yours: compare created_at and amount_refunded.',
    steps(values) {
      const [ordered, overtaken] = [paidPayment(values), paidPayment(values)]
      return [
        singleEvent(values, ordered, 'payment.succeeded', 1000),
        singleEvent(values, partlyRefunded(values, ordered), 'payment.refunded'),
        singleEvent(values, partlyRefunded(values, overtaken), 'payment.refunded'),
        singleEvent(values, overtaken, 'payment.succeeded', 1000),
      ]
    },
    judge([paid, refund, early, late]) {
      if (!paid || !refund || !early || !late || !(hasChanged(paid) || hasChanged(refund))) return unseen(NO_MOVE)
      return judgeComparison(
        mergeEffects(early, late),
        mergeEffects(paid, refund),
        'out of order, the final state differs: ',
      )
    },
  },
  {
    id: 'partial_refunds',
    title: 'handles several partial refunds',
    sent: 'payment.succeeded, then two payment.refunded of 30 % and 20 %',
    expect: 'accept',
    expected: '2xx each time; each refund counts by its amount, and the payment stays paid',
    why: 'amount_refunded is a total. Handlers go wrong if they subtract it each time, treat a partial refund as a full one or ignore a known payment.',
    fix: 'Set the refunded amount to data.amount_refunded. The payment is fully refunded only if its status is refunded.',
    steps(values) {
      const payment = paidPayment(values)
      const first = partlyRefunded(values, payment)
      return [
        singleEvent(values, payment, 'payment.succeeded', 2000),
        singleEvent(values, first, 'payment.refunded', 1000),
        singleEvent(values, refunded(values, first, share(values, 20)), 'payment.refunded'),
      ]
    },
    judge([paid, first, second], values) {
      if (!paid || !first || !second) return unseen(NO_MOVE)
      if (!hasChanged(paid) && !hasChanged(first) && !hasChanged(second)) return unseen(NO_MOVE)
      return judgeProportion(values.amount, paid, first, second)
    },
  },
  {
    id: 'late_expiry',
    needsOrderProbe: true,
    title: 'keeps an order paid if an earlier payment expires',
    sent: 'payment.succeeded, then payment.expired of an earlier payment of the same order',
    expect: 'accept',
    expected: '2xx each time; the order stays paid',
    why: 'If a buyer pays on the second try, the first payment expires 20 minutes later. The order is still paid.',
    fix: 'Let an expired or failed payment close only itself. Cancel the order only if none of its payments succeeded.',
    steps(values) {
      const payment = paidPayment(values)
      const { rrn, captured_at, ...tried } = paidPayment(values, payment.order_id)
      const expired = { ...tried, status: 'expired', metadata: { ...tried.metadata, failure_code: 'session_timeout' } }
      const late = buildMessage(values, eventBody(values, 'payment.expired', expired))
      return [singleEvent(values, payment, 'payment.succeeded', 1000), { about: subjectOf(payment), messages: [late] }]
    },
    judge([paid, late]) {
      if (!paid || !late || !hasChanged(paid)) return unseen(NO_MOVE)
      return hasExistingChanged(late) ? wrong(`the late payment.expired changed ${formatEffect(late)}`) : RIGHT
    },
  },
] as const satisfies readonly Check[]

/** Sends the event of `once` a single time, and the event of `often` five times at once and then again. */
function repeated(values: MessageValues, once: Sample, often: Sample): Step[] {
  const event = once.refunds.length === 0 ? 'payment.succeeded' : 'payment.refunded'
  const body = eventBody(values, event, often)
  const about = subjectOf(often)
  const five = Array.from({ length: 5 }, (): Message => buildMessage(values, body))
  return [
    singleEvent(values, once, event),
    { about, messages: five },
    { about, messages: [buildMessage(values, body)] },
  ]
}

function singleEvent(values: MessageValues, payment: Sample, event: string, ago = 0): Step {
  const body = eventBody({ ...values, now: values.now - ago }, event, payment)
  return { about: subjectOf(payment), messages: [buildMessage(values, body)] }
}

function partlyRefunded(values: MessageValues, payment: Sample): Sample {
  return refunded(values, payment, share(values, 30))
}

function countedTwice(event: string, alone: Effect, five: Effect, again: Effect): Judgement | undefined {
  if (hasChanged(again)) return wrong(`${event} again changed ${formatEffect(again)}`)
  const { same, text } = compareEffects(five, alone)
  return same === false
    ? wrong(`${event} sent five times at once has a different effect from sent once: ${text}`)
    : undefined
}

function judgeComparison(a: Effect, b: Effect, lead = ''): Judgement {
  const { same, text } = compareEffects(a, b)
  if (same === undefined) return unseen(text ?? '')
  if (!same) return wrong(`${lead}${text}`)
  return text === undefined ? RIGHT : { verdict: 'right', text }
}

/**
 * The refunds of 30 % and 20 % do not change a count of payments. Each changes a count of events by one. They change a
 * sum in the ratio three to two.
 *
 * @param amount the amount of the payment, in minor units
 */
function judgeProportion(amount: number, paid: Effect, first: Effect, second: Effect): Judgement {
  const [whole, by, then] = [changes(paid), changes(first), changes(second)]
  const paths = [...then.keys()].filter((path) => by.has(path) && !isOwnId(path) && !/last/i.test(keyOf(path)))
  if (paths.length === 0)
    return unseen(`no number of the probe can show a refund (${truncate(second.after)})`, SHOW_REFUNDS)
  const moves = paths.map((path): Deltas => [path, whole.get(path) ?? 0, by.get(path) ?? 0, then.get(path) ?? 0])
  const odd = moves.filter((move) => !isUnchanged(move) && !isRight(move))
  if (odd.length > 0) return wrong(odd.map(formatDeltas).join('; '))
  const mustChange = moves.filter(([path, total]) => isRefundedAmount(path) || (isBalance(path) && total !== 0))
  const stuck = mustChange.filter(isUnchanged).map(([path]) => path)
  if (stuck.length > 0) return wrong(`the refunds do not change ${stuck.join(', ')}`, HANDLE_REFUNDS)
  if (moves.some((move) => !isUnchanged(move))) return RIGHT
  // A number that a payment changes, but not by its amount in minor or major units, is a count. It may ignore refunds.
  const isCount = moves.some(([, total]) => total !== 0 && ![amount, amount / 100].includes(total))
  if (paths.length === 1 && isCount) return RIGHT
  return unseen(
    `refunds do not change the number${paths.length === 1 ? '' : 's'} ${namesOf(paths)}: ${formatEffect(paid)}`,
    SHOW_REFUNDS,
  )
}

/** How much a number changed with the payment, with the refund of 30 % and with the refund of 20 %. */
type Deltas = readonly [path: string, whole: number, by: number, then: number]

function isUnchanged([, , by, then]: Deltas): boolean {
  return by === 0 && then === 0
}

function isRight([, whole, by, then]: Deltas): boolean {
  const near = (got: number, right: number) => Math.abs(got - right) <= Math.abs(right) * 0.01
  const counter = by === then && Math.abs(by) === 1 && (whole === 0 || whole === by)
  return counter || (whole === 0 ? near(then * 3, by * 2) : near(by, -0.3 * whole) && near(then, -0.2 * whole))
}

function formatDeltas([path, whole, by, then]: Deltas): string {
  const what = path === '$' ? 'the value' : path
  return `the payment changed ${what} by ${whole}, its refund of 30 % by ${by}, its refund of 20 % by ${then}`
}

function namesOf(paths: readonly string[]): string {
  return paths.filter((path) => path !== '$').join(', ')
}
