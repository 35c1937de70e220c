// Short descriptions of each plan, fault and field of the simulator, for the reference.
import type { FAULT_FIELDS, FAULT_TARGETS, FaultTarget, RULE_FIELDS } from '../../src/domain/faults.ts'
import type { Plan } from '../../src/domain/simulator-plan.ts'

interface PlanWords {
  /** The syntax of the plan. */
  readonly form: string
  readonly payment: string
  readonly payout: string
}

export const PLAN_WORDS: { readonly [O in Plan['outcome']]: PlanWords } = {
  succeeded: {
    form: 'succeeded',
    payment: 'its session opens after `delays.session`, and the bank accepts it after `delays.bank`',
    payout: 'succeeds after `delays.bank`',
  },
  failed: {
    form: 'failed:<code>',
    payment:
      'its session opens in the same way, and the bank declines it: `failure_code` is in the metadata; `failed` alone means `failed:do_not_honor`',
    payout: 'fails after `delays.bank`, with `fail_reason`',
  },
  requires_action: {
    form: 'requires_action',
    payment: 'stays `pending` until it is paid on the page or with `psp payments pay`',
    payout: 'stays `pending` until `psp payouts settle`',
  },
  pending: {
    form: 'pending',
    payment: 'becomes `processing`, and the bank never responds, so it expires at `processing_until`',
    payout: 'stays `pending` until `psp payouts settle`',
  },
  refused: {
    form: 'refused:<code>',
    payment: 'is `failed` in the response to its create request: 201 with `failure_code` and `failure_message`',
    payout: 'the same, with `failure_reason`',
  },
  error: {
    form: 'error:<code>',
    payment: 'is not created: the request gets an error with this code',
    payout: 'the same',
  },
  cut: {
    form: 'cut',
    payment:
      'is created and will succeed, but the connection is cut before the response; a repeated request with the same Idempotency-Key returns it',
    payout: 'the same',
  },
}

export const FAULT_WORDS: { readonly [T in FaultTarget]: Readonly<Record<(typeof FAULT_TARGETS)[T][number], string>> } =
  {
    api: {
      latency: 'the request waits for this time before it is processed',
      late_response:
        "the request is processed and stored, and the response waits for this time; use more than the client's timeout",
      status: 'the response has this status, and nothing is processed; 429 and 503 include Retry-After',
      reset: 'the request is processed and stored; the connection closes in the middle of the response',
      cut: 'the request is processed and stored; the connection closes before the response',
    },
    webhook: {
      duplicate: 'the webhook is sent with this number of additional copies, all with the same id',
      delay: 'the webhook is sent this much later',
      drop: 'the webhook is not sent, but counts as a failed attempt, so it is retried',
      reorder: 'the webhook waits until the next one is sent',
      hold: 'the webhook waits until the fault is removed or its delivery is retried; replays are not held',
      tamper: 'the body is changed after it was signed',
      wrong_secret: 'the webhook is signed with another secret',
      stale: 'the webhook is signed with a time this far in the past',
      future: 'the webhook is signed with a time this far in the future',
      v1_only: 'the header contains only the legacy signature',
      unsigned: 'the webhook is sent without a signature',
      before_response: 'the webhook is sent before the response to the request that caused it',
      late_response: 'the webhook is sent, but the response counts as late, so the webhook is sent again',
      unknown_event: 'the webhook has an event name that does not exist',
      reserialised:
        'the body is the same JSON in another notation, signed as sent; a handler that verifies reserialised JSON fails',
    },
    stream: {
      drop: 'the message is omitted',
      disconnect: 'the connection closes before the message',
      stall: 'the connection stays open, but sends nothing until the fault is removed',
    },
    redirect: {
      delay: 'the buyer returns this much later',
      drop: 'the buyer never returns',
    },
  }

/** Fields that rules and faults are matched on. */
export const FIELD_WORDS: Readonly<
  Record<(typeof RULE_FIELDS)[number] | (typeof FAULT_FIELDS)[FaultTarget][number], string>
> = {
  operation:
    '`payment`, `refund` or `payout`; for a request also `payment.get`, `payment.cancel`, `payout.get`, `banks`, `events`',
  amount: 'minor units; for a refund request the amount of the refund',
  method: 'in rules the payment method, like `payment_method`; in faults the HTTP method',
  payment_method: 'the payment method, such as `sbp`; `payouts_sbp` for a payout',
  currency: 'ISO 4217 code',
  order_id: "the shop's order number",
  customer_id: 'the customer id in the create request',
  phone: "the recipient's phone",
  bank_id: "the recipient's bank",
  description: 'purpose of the payment',
  shop_id: 'the shop',
  path: 'path of the request, without the query',
  object_id: 'id of the payment or payout; in a stream message also of the refund',
  event: 'name of the event, such as `payment.*`',
  endpoint_id: 'id of the endpoint or listener',
  attempt: 'number of the attempt, from 1',
  kind: 'kind of the message, such as `payment.*`',
  payment_id: 'the payment',
  status: 'status of the payment or payout at that time; for a webhook or message, the status that it contains',
}

/** Merchants choose the names of metadata. */
export const METADATA_FIELD = [
  '`metadata.<name>`',
  'a metadata pair of the payment, such as `metadata.cart`; for a refund, of its payment',
]
