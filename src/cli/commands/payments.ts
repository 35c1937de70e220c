import { isFailureCode, PAYMENT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { shortenableId } from '../../domain/id-examples.ts'
import { PAGE_METHODS, PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { planNames } from '../../domain/simulator-plan.ts'
import { command, group } from '../command.ts'
import { PAGE_FLAGS, SHOP_FILTER } from '../parsing/common-flags.ts'
import { choice, list, mandatory, required, toggle, value } from '../parsing/flags.ts'
import { currencyCode, integer, minorUnits, oneOf, pair, refundUnits } from '../parsing/parse.ts'
import { returnAddress, webhookAddress } from '../parsing/parse-address.ts'
import { planText } from '../parsing/parse-plan.ts'

export const PAYMENT_ID = { id: required(shortenableId('payment')) }

const PAGE_LANGUAGES = ['en', 'ru'] as const

export const OPEN_FLAGS = {
  lang: choice('--lang <lang>', "the page's language; without it the browser chooses", PAGE_LANGUAGES, oneOf),
}

const PLANS = planNames(PAYMENT_FAILURE_CODES)

export const CREATE_FLAGS = {
  amount: mandatory(value('--amount <n>', 'amount in minor units: 150000 is 1 500.00 RUB', minorUnits)),
  method: choice('--method <method>', 'payment method; recurrent charges without the buyer', PAYMENT_METHODS, oneOf),
  currency: value('--currency <code>', 'ISO 4217 code, default RUB', currencyCode),
  order_id: value('--order-id <id>', 'id of the order in your shop'),
  customer_id: value('--customer-id <id>', 'id of the customer in your shop'),
  return_url: value('--return-url <url>', 'page to which the buyer returns, https://', returnAddress),
  description: value('--description <text>', 'purpose of the payment, shown to the buyer'),
  webhook_url: value(
    '--webhook-url <url>',
    'URL for the webhooks of this payment, instead of the endpoints',
    webhookAddress,
  ),
  metadata: list('--metadata <key=value...>', 'custom key-value pairs', pair),
  idempotency_key: value('--idempotency-key <key>', 'a second request with the same key returns the first payment'),
  outcome: value(
    '--outcome <plan>',
    'what the bank will do: succeeded, failed:insufficient_funds, pending, …',
    planText,
    PLANS,
  ),
  count: value('--count <n>', 'number of payments to create', integer(1, 1_000_000)),
  concurrency: value(
    '--concurrency <n>',
    'with --count: requests in flight at the same time, default 8',
    integer(1, 256),
  ),
  open: toggle('--open', 'open the hosted page in the browser'),
  lang: choice('--lang <lang>', "with --open: the page's language", PAGE_LANGUAGES, oneOf),
  wait: toggle('--wait', 'wait until its status is final'),
}

export const LIST_FLAGS = {
  status: choice('--status <status>', 'only with this status', PAYMENT_STATUSES, oneOf),
  method: choice('--method <method>', 'only with this method', PAYMENT_METHODS, oneOf),
  order_id: value('--order-id <id>', 'only for this order'),
  shop_id: SHOP_FILTER,
  ...PAGE_FLAGS,
}

export const REFUND_FLAGS = {
  amount: value('--amount <n>', 'amount in minor units; 0, the default, refunds the whole remainder', refundUnits),
  reason: value('--reason <text>', 'reason for the refund; it becomes the field reason of the refund'),
  idempotency_key: value('--idempotency-key <key>', 'a second request with the same key returns the same refund'),
  outcome: value('--outcome <plan>', 'what the bank will do: succeeded, failed or pending', planText, PLANS),
  wait: toggle('--wait', 'wait until the status of the refund is final'),
}

export const PAY_FLAGS = {
  method: choice(
    '--method <method>',
    'method that the buyer chooses, if the payment has none yet',
    PAGE_METHODS,
    oneOf,
  ),
}

export const DECLINE_FLAGS = {
  // The server accepts the codes of payouts too.
  code: choice('--code <code>', 'why the bank declines, default do_not_honor', PAYMENT_FAILURE_CODES, (text, codes) =>
    isFailureCode(text) ? text : oneOf(text, codes),
  ),
}

export const payments = group({
  description: 'Create, show, pay and refund payments.',
  commands: {
    create: command({
      description: 'Create a payment.',
      flags: CREATE_FLAGS,
      examples: [
        ['psp payments create --amount 150000', 'Create a payment of 1 500.00 RUB; the buyer chooses the method'],
        ['psp payments create --amount 100 --method sbp --wait', 'Wait for its final status'],
        ['psp payments create --amount 100 --outcome failed:insufficient_funds', 'Let the bank decline it'],
        ['psp payments create --amount 100 --open', 'Create a payment and pay it in the browser'],
        ['psp payments create --amount 100 --count 1000 --concurrency 32', 'Create a thousand payments'],
      ],
      supportsDryRun: true,
    }),
    get: command({
      description: 'Show a payment.',
      args: PAYMENT_ID,
      examples: [['psp payments get 3f2a9c1e-… --json', 'Print the payment as the API returns it']],
    }),
    list: command({
      description: 'List payments, newest first. An API key limits them to its shop and mode.',
      flags: LIST_FLAGS,
      examples: [['psp payments list --status succeeded --limit 10', 'Show the last ten paid payments']],
    }),
    cancel: command({
      description: 'Cancel a pending payment.',
      args: PAYMENT_ID,
      examples: [['psp payments cancel 3f2a9c1e-…', 'Cancel a payment and send the webhook payment.cancelled']],
      supportsDryRun: true,
    }),
    refund: command({
      description: 'Refund a succeeded payment, in full or in part.',
      args: PAYMENT_ID,
      flags: REFUND_FLAGS,
      examples: [
        ['psp payments refund 3f2a9c1e-…', 'Refund the whole remainder'],
        ['psp payments refund 3f2a9c1e-… --amount 5000 --reason "one of two items"', 'Refund a part'],
      ],
      supportsDryRun: true,
    }),
    pay: command({
      description: 'Pay a payment, as the buyer.',
      args: PAYMENT_ID,
      flags: PAY_FLAGS,
      examples: [['psp payments pay 3f2a9c1e-… --method sbp', 'Pay by SBP; the status is final at once']],
      supportsDryRun: true,
    }),
    decline: command({
      description: 'Decline a payment, as the bank.',
      args: PAYMENT_ID,
      flags: DECLINE_FLAGS,
      examples: [
        ['psp payments decline 3f2a9c1e-… --code insufficient_funds', 'Decline a payment; the status is final at once'],
      ],
      supportsDryRun: true,
    }),
    open: command({
      description: 'Open the hosted page of a payment in the browser.',
      args: PAYMENT_ID,
      flags: OPEN_FLAGS,
      examples: [
        ['psp payments open 3f2a9c1e-…', 'Open the page that the buyer sees'],
        ['psp payments open 3f2a9c1e-… --lang ru', 'Open the page in Russian'],
      ],
    }),
  },
})
