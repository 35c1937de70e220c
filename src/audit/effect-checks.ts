// Spec 6.1 and 3: what a handler must make of events that repeat, overtake each other or come late. A 2xx says little here:
// these are judged by what a probe sees of the merchant's own value.
import type { Check, Ground, Message, Step } from './check.ts'
import { alike, changed, type Effect, type Judgement, moved, RIGHT, together, told, unseen, wrong } from './effect.ts'
import { message } from './message.ts'
import { inProportion } from './refund-proportion.ts'
import { eventBody, paidPayment, refunded, type Sample, share, subjectOf } from './sample.ts'

const ONCE = 'Remember event ids under a unique key, in the transaction that does the work; a known id is answered 2xx.'
const NO_MOVE = 'the value of the probe did not move when a payment succeeded'

export const EFFECT_CHECKS = [
  {
    id: 'duplicates',
    title: 'counts an event once, however often it comes',
    sent: 'payment.succeeded five times at once and once more, then the same with its payment.refunded',
    expect: 'taken',
    expected: '2xx each time, and the effect of one',
    why: 'Events come more than once. A handler that counts each credits, ships or pays back twice.',
    fix: ONCE,
    steps(ground) {
      const [once, often] = [paidPayment(ground), paidPayment(ground)]
      return [...repeated(ground, once, often), ...repeated(ground, part(ground, once), part(ground, often))]
    },
    judge([onceAlone, fiveTimes, again, refundAlone, refundFive, refundAgain]) {
      if (!onceAlone || !fiveTimes || !again || !refundAlone || !refundFive || !refundAgain) return unseen(NO_MOVE)
      if (!moved(onceAlone) && !moved(fiveTimes)) return unseen(NO_MOVE)
      return (
        countedTwice('payment.succeeded', onceAlone, fiveTimes, again) ??
        countedTwice('payment.refunded', refundAlone, refundFive, refundAgain) ??
        asAlike(onceAlone, fiveTimes)
      )
    },
  },
  {
    id: 'out_of_order',
    ofOrder: true,
    title: 'stands events that overtake each other',
    sent: 'payment.refunded (in part) before the payment.succeeded of the same payment',
    expect: 'taken',
    expected: '2xx each time, and the same end as in order',
    why: 'A webhook that is tried again comes after later ones. Whoever lets the last one win pays out what was refunded.',
    fix: 'Let data that is older than what you have change nothing: compare created_at and amount_refunded.',
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
      if (!paid || !refund || !early || !late || !(moved(paid) || moved(refund))) return unseen(NO_MOVE)
      return asAlike(together(early, late), together(paid, refund), 'overtaken it ends otherwise than in order: ')
    },
  },
  {
    id: 'partial_refunds',
    title: 'follows a refund in several parts',
    sent: 'payment.succeeded, then two payment.refunded of 30 % and 20 %',
    expect: 'taken',
    expected: '2xx each time; each refund counts by its own amount, and the payment stays paid',
    why: 'amount_refunded is a sum. Whoever subtracts it each time, takes a part for the whole or the payment for known, errs.',
    fix: 'Set what was refunded to data.amount_refunded; the payment is over only at status refunded.',
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
      if (!moved(paid) && !moved(first) && !moved(second)) return unseen(NO_MOVE)
      return inProportion(ground.amount, paid, first, second)
    },
  },
  {
    id: 'late_expiry',
    ofOrder: true,
    title: 'keeps an order that another try has paid',
    sent: 'payment.succeeded, then payment.expired of an earlier try of the same order',
    expect: 'taken',
    expected: '2xx each time; the order stays paid',
    why: 'A buyer who tries twice leaves a first payment that expires 20 minutes later. The order is paid all the same.',
    fix: 'Let an expired or failed payment close its own try; cancel the order only where no payment of it succeeded.',
    steps(ground) {
      const payment = paidPayment(ground)
      const { rrn, captured_at, ...tried } = paidPayment(ground, payment.order_id)
      const expired = { ...tried, status: 'expired', metadata: { ...tried.metadata, failure_code: 'session_timeout' } }
      const late = message(ground, eventBody(ground, 'payment.expired', expired))
      return [one(ground, payment, 'payment.succeeded', 1000), { about: subjectOf(payment), messages: [late] }]
    },
    judge([paid, late]) {
      if (!paid || !late || !moved(paid)) return unseen(NO_MOVE)
      return changed(late) ? wrong(`the late payment.expired moved ${told(late)}`) : RIGHT
    },
  },
] as const satisfies readonly Check[]

/** One payment heard of once, another five times at once and then again. */
function repeated(ground: Ground, once: Sample, often: Sample): Step[] {
  const event = once.refunds.length === 0 ? 'payment.succeeded' : 'payment.refunded'
  const body = eventBody(ground, event, often)
  const about = subjectOf(often)
  const five = Array.from({ length: 5 }, (): Message => message(ground, body))
  return [one(ground, once, event), { about, messages: five }, { about, messages: [message(ground, body)] }]
}

function one(ground: Ground, payment: Sample, event: string, ago = 0): Step {
  const body = eventBody({ ...ground, now: ground.now - ago }, event, payment)
  return { about: subjectOf(payment), messages: [message(ground, body)] }
}

function part(ground: Ground, payment: Sample): Sample {
  return refunded(ground, payment, share(ground, 30))
}

function countedTwice(event: string, alone: Effect, five: Effect, again: Effect): Judgement | undefined {
  if (moved(again)) return wrong(`${event} again moved ${told(again)}`)
  const { same, text } = alike(five, alone)
  return same === false ? wrong(`${event} five times at once ended otherwise than once: ${text}`) : undefined
}

function asAlike(a: Effect, b: Effect, lead = ''): Judgement {
  const { same, text } = alike(a, b)
  if (same === undefined) return unseen(text ?? '')
  if (!same) return wrong(`${lead}${text}`)
  return text === undefined ? RIGHT : { verdict: 'right', text }
}
