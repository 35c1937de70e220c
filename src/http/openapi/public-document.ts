// The OpenAPI document of the public API, from the schemas with which the server validates requests.

import * as z from 'zod'
import examples from '../../../fixtures/api-examples.json' with { type: 'json' }
import type { ApiErrorCode } from '../../domain/errors.ts'
import { PLAN_SYNTAX, PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import { PLAN_PATTERN } from '../../domain/text-patterns.ts'
import { API_VERSION } from '../../domain/version.ts'
import { MAX_KEY_LENGTH } from '../guards/request-headers.ts'
import { SIGNATURE_PATTERN } from '../guards/signature.ts'
import { createPaymentBody } from '../public/create-payment.ts'
import { createPayoutBody } from '../public/create-payout.ts'
import type { Operation } from '../public/operation.ts'
import { PUBLIC_OPERATIONS } from '../public/operations.ts'
import { refundPaymentBody } from '../public/refund-payment.ts'
import { plannedOutcome, VALUE_SCHEMAS } from '../value-schemas.ts'
import { type DocumentedResponse, type DocumentedRoute, openApiDocument } from './document.ts'
import * as objects from './objects.ts'
import { STREAM_SCHEMAS, streamMessage } from './stream-messages.ts'
import { paymentEvent, payoutEvent, WEBHOOKS } from './webhooks.ts'

const SCHEMAS = {
  Payment: objects.payment,
  CreatePayment: createPaymentBody.schema,
  CreatedPayment: objects.createdPayment,
  CancelledPayment: objects.cancelled,
  Refund: objects.refund,
  CreateRefund: refundPaymentBody.schema,
  CreatedRefund: objects.createdRefund,
  Payout: objects.payout,
  CreatePayout: createPayoutBody.schema,
  CreatedPayout: objects.createdPayout,
  Bank: objects.bank,
  BankList: objects.bankList,
  PaymentEvent: paymentEvent,
  PayoutEvent: payoutEvent,
  StreamMessage: streamMessage,
  ...STREAM_SCHEMAS,
  ...VALUE_SCHEMAS,
  PlannedOutcome: plannedOutcome,
}

interface OperationTexts {
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly responses: { readonly [status: number]: DocumentedResponse }
}

const replayResponse = (schema: DocumentedResponse['schema']): DocumentedResponse => ({
  description: 'The Idempotency-Key was used before with the same body: the existing object as it is now.',
  ...(schema === undefined ? {} : { schema }),
})

const OPERATION_TEXTS: { readonly [O in keyof typeof PUBLIC_OPERATIONS]: OperationTexts } = {
  createPayment: {
    tag: 'Payments',
    summary: 'Create a payment',
    description:
      'Creates a payment and returns the page to which the shop sends the buyer. An `Idempotency-Key` makes a retry safe.',
    responses: {
      201: {
        description: 'The payment, and the page to which the shop sends the buyer.',
        schema: objects.createdPayment,
      },
      200: replayResponse(objects.createdPayment),
    },
  },
  getPayment: {
    tag: 'Payments',
    summary: 'Get a payment',
    description: 'Returns a payment as it is now, with its refunds.',
    responses: { 200: { description: 'The payment as it is now, with its refunds.', schema: objects.payment } },
  },
  cancelPayment: {
    tag: 'Payments',
    summary: 'Cancel a pending payment',
    description: 'Cancels a payment that has no bank session yet.',
    responses: { 200: { description: 'The payment is cancelled.', schema: objects.cancelled } },
  },
  refundPayment: {
    tag: 'Payments',
    summary: 'Refund a succeeded payment, whole or in part',
    description: 'Refunds `amount`, or all that is left of the payment if `amount` is absent or 0.',
    responses: {
      201: { description: 'The refund.', schema: objects.createdRefund },
      200: replayResponse(objects.createdRefund),
    },
  },
  createPayout: {
    tag: 'Payouts',
    summary: 'Create an SBP payout',
    description: 'Sends money to a phone number at a bank. An `Idempotency-Key` makes a retry safe.',
    responses: {
      201: { description: 'The payout.', schema: objects.createdPayout },
      200: replayResponse(objects.createdPayout),
    },
  },
  getPayout: {
    tag: 'Payouts',
    summary: 'Get a payout',
    description: 'Returns a payout as it is now.',
    responses: { 200: { description: 'The payout as it is now.', schema: objects.payout } },
  },
  listBanks: {
    tag: 'Banks',
    summary: 'List the SBP banks',
    description:
      'Returns the banks from which a caller chooses a `bank_id`. A payout may also use the id of an SBP bank that is not in the list.',
    responses: { 200: { description: 'The banks, sorted by name.', schema: objects.bankList } },
  },
  streamEvents: {
    tag: 'Events',
    summary: 'Open the event stream',
    description:
      'Sends events as they happen, on one connection per key, with a comment every 25 seconds. A slow reader loses events. Webhooks are not lost.',
    responses: {
      200: {
        description:
          'Server-sent events. In each event, `data` is a `StreamMessage`, and `event` is the `kind` of the message.',
        schema: streamMessage,
        media: 'text/event-stream',
      },
    },
  },
}

const TAGS = [
  { name: 'Payments', description: 'Payments, their cancellation and refunds.' },
  { name: 'Payouts', description: 'Payouts by SBP to a phone number at a bank.' },
  { name: 'Banks', description: 'The directory of SBP member banks.' },
  { name: 'Events', description: 'Events as they happen.' },
  { name: 'Webhooks', description: 'Requests that the service sends to the endpoints of the merchant.' },
]

const COMMON_ERRORS: readonly ApiErrorCode[] = [
  // A header that was sent twice.
  'bad_request',
  'signature_required',
  'invalid_signature',
  'unauthorized',
  // A browser that calls a loopback server by a foreign name.
  'forbidden',
  // Another method on the same path.
  'method_not_allowed',
  'payload_too_large',
  'live_not_enabled',
  'ip_not_allowed',
  'rate_limited',
  'internal_error',
  'simulated_fault',
  'sandbox_reset',
]

const SIGNATURE = z.string().regex(SIGNATURE_PATTERN).meta({
  description:
    'Required if the shop requires signatures: `sha256=` and the HMAC-SHA256 of the raw body in lower-case hex.',
})
const IDEMPOTENCY_KEY = z.string().min(1).max(MAX_KEY_LENGTH).meta({
  description: 'Requests with the same key and body return the same object. Send characters outside of ASCII as UTF-8.',
})
const SIMULATE = z
  .string()
  .meta({ pattern: PLAN_PATTERN, description: `The sandbox's plan for this object: ${PLAN_SYNTAX}.` })

export function publicDocument(): unknown {
  const names = Object.keys(OPERATION_TEXTS) as (keyof typeof OPERATION_TEXTS)[]
  return openApiDocument(
    {
      title: 'Payment acceptance and payouts',
      version: API_VERSION,
      description: 'The public API of the sandbox: payments, refunds, SBP payouts, banks and the event stream.',
      servers: [
        { url: '/', description: 'This server.' },
        { url: '/api', description: 'An alternative prefix for the same paths.' },
      ],
      tags: TAGS,
      bearer: 'An API key of the shop: `sk_test_…` or `sk_live_…`.',
      schemas: SCHEMAS,
      webhooks: WEBHOOKS,
    },
    names.map((name) => routeOf(name, PUBLIC_OPERATIONS[name])),
  )
}

/** Examples of requests and responses, which a test recorded from a sandbox. */
const EXAMPLES: {
  readonly [O in keyof typeof PUBLIC_OPERATIONS]: {
    readonly request?: unknown
    readonly responses: { readonly [status: number]: unknown }
  }
} = examples.operations

const idOf = (what: string) =>
  z.string().meta({ format: 'uuid', description: `The id of the ${what}: a UUID in lower or upper case.` })
const PAYMENT_ID = idOf('payment')
const PAYOUT_ID = idOf('payout')

function routeOf(name: keyof typeof OPERATION_TEXTS, operation: Operation<unknown>): DocumentedRoute {
  const { method, path, body, bodyOptional, creates, errors } = operation
  const { request, responses: examples } = EXAMPLES[name]
  const { responses, ...texts } = OPERATION_TEXTS[name]
  const stored: readonly ApiErrorCode[] = method === 'GET' ? [] : ['storage_unavailable']
  return {
    operationId: name,
    method,
    path: `/v1/public${path}`,
    ...texts,
    params: { id: path.startsWith('/payouts') ? PAYOUT_ID : PAYMENT_ID },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        { ...response, example: examples[Number(status)] },
      ]),
    ),
    headers: {
      ...(creates ? { 'Idempotency-Key': IDEMPOTENCY_KEY, 'X-PSP-Simulate': SIMULATE } : {}),
      'X-PSP-Signature': SIGNATURE,
    },
    ...(body === undefined ? {} : { body: { schema: body.schema, required: bodyOptional !== true, example: request } }),
    errors: [...new Set([...COMMON_ERRORS, ...stored, ...errors, ...(creates ? PLANNED_ERRORS : [])])],
  }
}
