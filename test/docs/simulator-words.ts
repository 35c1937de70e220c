// What each plan, fault and field of the simulator does, in a few words: the reference is made from it.
import type { FAULT_FIELDS, FAULT_TARGETS, FaultTarget, RULE_FIELDS } from '../../src/domain/faults.ts'
import type { Plan } from '../../src/domain/simulator-plan.ts'

interface PlanWords {
  /** As it is written. */
  readonly form: string
  readonly payment: string
  readonly payout: string
}

export const PLAN_WORDS: { readonly [O in Plan['outcome']]: PlanWords } = {
  succeeded: {
    form: 'succeeded',
    payment: 'its session opens after `delays.session`, the bank says yes after `delays.bank`',
    payout: 'succeeds after `delays.bank`',
  },
  failed: {
    form: 'failed:<code>',
    payment: 'the same, and the bank refuses: `failure_code` in the metadata; `failed` alone is `failed:do_not_honor`',
    payout: 'fails after `delays.bank`: `fail_reason`',
  },
  requires_action: {
    form: 'requires_action',
    payment: 'waits as `pending` for somebody to pay it, on the page or with `psp payments pay`',
    payout: 'stays `pending` until `psp payouts settle`',
  },
  pending: {
    form: 'pending',
    payment: 'becomes `processing`, and the bank never answers: it expires when `processing_until` passes',
    payout: 'stays `pending` until `psp payouts settle`',
  },
  refused: {
    form: 'refused:<code>',
    payment: 'is `failed` in the answer to its own create request: 201 with `failure_code` and `failure_message`',
    payout: 'the same, with `failure_reason`',
  },
  error: {
    form: 'error:<code>',
    payment: 'is not made: the request is refused with this code',
    payout: 'the same',
  },
  cut: {
    form: 'cut',
    payment: 'is made and will succeed, but the connection is cut instead of an answer: the Idempotency-Key finds it',
    payout: 'the same',
  },
}

export const FAULT_WORDS: { readonly [T in FaultTarget]: Readonly<Record<(typeof FAULT_TARGETS)[T][number], string>> } =
  {
    api: {
      latency: 'the request waits so long before anything is done',
      late_response: 'done and stored; the answer waits so long, past the timeout of whoever asked',
      status: 'this status is answered, and nothing is done; 429 and 503 come with Retry-After',
      reset: 'done and stored; the connection breaks in the midst of the answer',
      cut: 'done and stored; the connection breaks before the answer',
    },
    webhook: {
      duplicate: 'so many copies more, with the same id',
      delay: 'sent so much later',
      drop: 'never sent; counted as a failed attempt, so that it is tried again',
      reorder: 'held until the next one has gone',
      tamper: 'the body is changed after it was signed',
      wrong_secret: 'signed with another secret',
      stale: 'signed with a time so long ago',
      future: 'signed with a time so far ahead',
      v1_only: 'the header holds the older signature only',
      unsigned: 'without a signature',
      before_response: 'arrives before the answer to the request that caused it',
      late_response: 'delivered, but counted as too late: it comes again',
      unknown_event: 'its name is one that no event has',
      reserialised: 'the same JSON in another spelling, signed as sent: bytes must not be made from parsed JSON',
    },
    stream: {
      drop: 'the message is left out',
      disconnect: 'the connection breaks before the message',
      stall: 'the connection stays open and says nothing more until the fault is removed',
    },
    redirect: {
      delay: 'the buyer comes back so much later',
      drop: 'the buyer never comes back',
    },
  }

/** Fields that rules and faults are matched on. */
export const FIELD_WORDS: Readonly<
  Record<(typeof RULE_FIELDS)[number] | (typeof FAULT_FIELDS)[FaultTarget][number], string>
> = {
  operation:
    '`payment`, `refund` or `payout`; of a request also `payment.get`, `payment.cancel`, `payout.get`, `banks`, `events`',
  amount: 'minor units; of a refund request its own amount',
  method: 'in rules the way to pay, like `payment_method`; in faults the HTTP method',
  payment_method: 'the way to pay, such as `sbp`; `payouts_sbp` for a payout',
  currency: 'ISO 4217 code',
  order_id: "the shop's number of the order",
  customer_id: 'as given at creation',
  phone: "the recipient's phone",
  bank_id: "the recipient's bank",
  description: 'purpose of the payment',
  shop_id: 'the shop',
  path: 'path of the request, without the query',
  object_id: 'id of the payment or payout, in a message of the stream also of the refund',
  event: 'name of the event, such as `payment.*`',
  endpoint_id: 'id of the endpoint or listener',
  attempt: 'number of the attempt, from 1',
  kind: 'kind of the message, such as `payment.*`',
  payment_id: 'the payment',
  status: 'of the payment or payout at that moment; of a webhook or message the one that it contains',
}

/** Its names are the merchant's. */
export const METADATA_FIELD = [
  '`metadata.<name>`',
  "a pair of the payment's metadata, such as `metadata.cart`; of a refund its payment's",
]
