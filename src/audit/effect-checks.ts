// Spec 6.1 and 3: repeated, reordered and late events. A 2xx says little about these, so probes of the merchant's value judge them.
import type { Check, Message, MessageValues, Step } from './check.ts'
import {
  compareEffects,
  type Effect,
  formatEffect,
  hasChanged,
  hasExistingChanged,
  type Judgement,
  mergeEffects,
  RIGHT,
  unseen,
  wrong,
} from './effect.ts'
import { buildMessage } from './message.ts'
import { judgeProportion } from './refund-proportion.ts'
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
    why: 'Events are sent more than once. A handler that counts each one credits, ships or refunds twice.',
    fix: ONCE,
    steps(ground) {
      const [once, often] = [paidPayment(ground), paidPayment(ground)]
      return [...repeated(ground, once, often), ...repeated(ground, part(ground, once), part(ground, often))]
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
    ofOrder: true,
    title: 'handles events that arrive out of order',
    sent: 'payment.refunded (partial) before the payment.succeeded of the same payment',
    expect: 'accept',
    expected: '2xx each time, and the same final state as in order',
    why: 'A retried webhook arrives after later ones. A handler that lets the last one win pays out what was refunded.',
    fix: 'Ignore data that is older than yours: compare created_at and amount_refunded.',
    steps(ground) {
      const [ordered, overtaken] = [paidPayment(ground), paidPayment(ground)]
      return [
        one(ground, ordered, 'payment.succeeded', 1000),
        one(ground, part(ground, ordered), 'payment.refunded'),
        one(ground, part(ground, overtaken), 'payment.refunded'),
        one(ground, overtaken, 'payment.succeeded', 1000),
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
    steps(ground) {
      const payment = paidPayment(ground)
      const first = part(ground, payment)
      return [
        one(ground, payment, 'payment.succeeded', 2000),
        one(ground, first, 'payment.refunded', 1000),
        one(ground, refunded(ground, first, share(ground, 20)), 'payment.refunded'),
      ]
    },
    judge([paid, first, second], ground) {
      if (!paid || !first || !second) return unseen(NO_MOVE)
      if (!hasChanged(paid) && !hasChanged(first) && !hasChanged(second)) return unseen(NO_MOVE)
      return judgeProportion(ground.amount, paid, first, second)
    },
  },
  {
    id: 'late_expiry',
    ofOrder: true,
    title: 'keeps an order paid if an earlier payment expires',
    sent: 'payment.succeeded, then payment.expired of an earlier payment of the same order',
    expect: 'accept',
    expected: '2xx each time; the order stays paid',
    why: 'If a buyer pays at the second try, the first payment expires 20 minutes later. The order is still paid.',
    fix: 'Let an expired or failed payment close only itself. Cancel the order only if none of its payments succeeded.',
    steps(ground) {
      const payment = paidPayment(ground)
      const { rrn, captured_at, ...tried } = paidPayment(ground, payment.order_id)
      const expired = { ...tried, status: 'expired', metadata: { ...tried.metadata, failure_code: 'session_timeout' } }
      const late = buildMessage(ground, eventBody(ground, 'payment.expired', expired))
      return [one(ground, payment, 'payment.succeeded', 1000), { about: subjectOf(payment), messages: [late] }]
    },
    judge([paid, late]) {
      if (!paid || !late || !hasChanged(paid)) return unseen(NO_MOVE)
      return hasExistingChanged(late) ? wrong(`the late payment.expired changed ${formatEffect(late)}`) : RIGHT
    },
  },
] as const satisfies readonly Check[]

/** Sends one payment's event once, and the other's five times at once and then again. */
function repeated(ground: MessageValues, once: Sample, often: Sample): Step[] {
  const event = once.refunds.length === 0 ? 'payment.succeeded' : 'payment.refunded'
  const body = eventBody(ground, event, often)
  const about = subjectOf(often)
  const five = Array.from({ length: 5 }, (): Message => buildMessage(ground, body))
  return [one(ground, once, event), { about, messages: five }, { about, messages: [buildMessage(ground, body)] }]
}

function one(ground: MessageValues, payment: Sample, event: string, ago = 0): Step {
  const body = eventBody({ ...ground, now: ground.now - ago }, event, payment)
  return { about: subjectOf(payment), messages: [buildMessage(ground, body)] }
}

function part(ground: MessageValues, payment: Sample): Sample {
  return refunded(ground, payment, share(ground, 30))
}

function countedTwice(event: string, alone: Effect, five: Effect, again: Effect): Judgement | undefined {
  if (hasChanged(again)) return wrong(`${event} again changed ${formatEffect(again)}`)
  const { same, text } = compareEffects(five, alone)
  return same === false ? wrong(`${event} five times at once has another effect than once: ${text}`) : undefined
}

function judgeComparison(a: Effect, b: Effect, lead = ''): Judgement {
  const { same, text } = compareEffects(a, b)
  if (same === undefined) return unseen(text ?? '')
  if (!same) return wrong(`${lead}${text}`)
  return text === undefined ? RIGHT : { verdict: 'right', text }
}
