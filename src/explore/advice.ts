// Chooses the fix of a finding by its smallest case: what was needed to break the rule shows the cause.
import type { Case } from './evaluate-case.ts'
import type { StoryEvent } from './story-event.ts'
import type { OracleId } from './violation.ts'

/** The properties of the smallest case that show its cause. */
interface Traits {
  readonly oracle: OracleId
  readonly copiesAtOnce: boolean
  /** An event is sent again after it was handled. */
  readonly sentAgain: boolean
  readonly eventsAtOnce: boolean
  /** The events in the order of their first delivery. */
  readonly events: readonly StoryEvent[]
}

interface Advice {
  fits(traits: Traits): boolean
  readonly fix: string
}

const SEPARATE_PAYMENTS =
  'Keep each payment of the order in a separate row, and derive the state and the sums from all of them. An order with a refunded payment and a paid one is paid.'

/** The first advice that fits is given. A finding that fits none gets the fix of its rule. */
const ADVICE: readonly Advice[] = [
  {
    fits: ({ copiesAtOnce }) => copiesAtOnce,
    fix: 'Two copies that arrive at the same moment both pass a check for known events. First insert the event id under a unique key, in the transaction that does the work. If the key exists, change nothing and respond 2xx.',
  },
  {
    fits: ({ sentAgain }) => sentAgain,
    fix: 'Store event ids under a unique key, in the transaction that does the work. Respond 2xx to a known id, and change nothing.',
  },
  {
    fits: ({ eventsAtOnce }) => eventsAtOnce,
    fix: 'Events that are handled at the same moment overwrite each other. Lock the row before you read it (select … for update), or change it in one statement: set balance = balance + 100.',
  },
  {
    fits: ({ oracle }) => oracle === 'isolation',
    fix: 'Find the order by data.order_id and the payment by data.id. Do not use the newest row or a shared variable.',
  },
  {
    fits: ({ events }) => events.some(({ name }) => name === 'payout.failed'),
    fix: 'Lower the balance only on payout.succeeded, once for each data.id. A payout that failed moves no money.',
  },
  {
    fits: ({ events }) => isBefore(events, isRefund, isRefundOfSame),
    fix: 'All refunds of a payment have the same data.id, so identify events by their own id. data.amount_refunded is the total, which stays the same if a refund fails. Keep the larger total, and lower the balance only by the difference.',
  },
  {
    fits: ({ events }) => events.some((event) => isRefundOfNothing(event) && events.some(isOtherRefundOf(event))),
    fix: SEPARATE_PAYMENTS,
  },
  {
    fits: ({ oracle, events }) => oracle !== 'money' && events.some(isRefundOfNothing),
    fix: 'A refund can fail or stay pending. Do not change the state of the order because of the name of the event: derive it from data.amount_refunded.',
  },
  {
    fits: ({ events }) => events.some(isRefundOfNothing),
    fix: 'A refund can fail or stay pending. data.amount_refunded then stays the same, so use only this total, and not the amounts in data.refunds.',
  },
  {
    fits: ({ events }) =>
      isBefore(events, isRefund, (event, refund) => isPaid(event) && event.object === refund.object),
    fix: 'A refund can arrive before its payment. Store it, and do not let the late payment.succeeded lower the refunded amount. Or respond 409 until the payment is known: the event is then sent again.',
  },
  {
    fits: ({ events }) => isBefore(events, isPaidOrRefunded, isFailure),
    fix: 'Let a failed, expired or cancelled payment close only itself. The order stays paid if another of its payments succeeded.',
  },
  {
    fits: ({ events }) => isBefore(events, isFailure, isPaidOrRefunded),
    fix: 'An order can be paid after an earlier payment failed or expired. Accept payment.succeeded in every state of the order, even if it is older than other events.',
  },
  {
    fits: ({ events }) => new Set(events.filter(isPaid).map(({ object }) => object)).size > 1,
    fix: SEPARATE_PAYMENTS,
  },
  {
    fits: ({ oracle, events }) => oracle !== 'money' && events.some(isPartRefund),
    fix: 'A payment is fully refunded only if data.status is refunded. After a partial refund the order is still paid.',
  },
  {
    fits: ({ oracle, events }) => oracle === 'money' && events.every(isIncomeOrPayout),
    fix: 'Store amounts as integers in minor units, as in data.amount. Do not round them or convert them to floating point.',
  },
]

/** @param events the events of the story */
export function adviceFor(
  oracle: OracleId,
  { schedule, resendsAll }: Case,
  events: readonly StoryEvent[],
): string | undefined {
  const sent = schedule.flat()
  const keys = [...new Set(sent.map(({ event }) => event))]
  const traits: Traits = {
    oracle,
    copiesAtOnce: schedule.some((round) => round.some(({ copies }) => copies > 1)),
    sentAgain: resendsAll || sent.some(({ response_lost }) => response_lost === true) || keys.length < sent.length,
    eventsAtOnce: schedule.some((round) => round.length > 1),
    events: keys.flatMap((key) => events.find((event) => event.key === key) ?? []),
  }
  return ADVICE.find(({ fits }) => fits(traits))?.fix
}

const isPaid = ({ name }: StoryEvent) => name === 'payment.succeeded'
const isIncomeOrPayout = (event: StoryEvent) => isPaid(event) || event.name === 'payout.succeeded'
const isRefund = ({ name }: StoryEvent) => name === 'payment.refunded'
const isPaidOrRefunded = (event: StoryEvent) => isPaid(event) || isRefund(event)
const isFailure = ({ name }: StoryEvent) => /^payment\.(failed|expired|cancelled)$/.test(name)
const isPartRefund = (event: StoryEvent) => isRefund(event) && event.snapshot.refunded < event.snapshot.amount
const isRefundOfNothing = (event: StoryEvent) => isRefund(event) && event.snapshot.refunded === 0
/** Matches a successful refund of another payment of the same order. */
const isOtherRefundOf = (event: StoryEvent) => (other: StoryEvent) =>
  isRefund(other) && other.object !== event.object && other.order === event.order && other.snapshot.refunded > 0
const isRefundOfSame = (event: StoryEvent, first: StoryEvent) => isRefund(event) && event.object === first.object

function isBefore(
  events: readonly StoryEvent[],
  isFirst: (event: StoryEvent) => boolean,
  isSecond: (event: StoryEvent, first: StoryEvent) => boolean,
): boolean {
  return events.some((first, at) => isFirst(first) && events.slice(at + 1).some((event) => isSecond(event, first)))
}
