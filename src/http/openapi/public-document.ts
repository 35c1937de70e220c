// The OpenAPI document of the public API, from the schemas the server checks with.
import * as z from 'zod'
import examples from '../../../fixtures/api-examples.json' with { type: 'json' }
import type { ApiErrorCode } from '../../domain/errors.ts'
import { PLAN_FORMS, PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import { LONGEST_KEY } from '../guards/idempotency-key.ts'
import type { Operation } from '../public/operation.ts'
import { PUBLIC_OPERATIONS } from '../public/operations.ts'
import { API_VERSION } from './api-version.ts'
import { type DocumentedAnswer, type DocumentedRoute, documentOf } from './document.ts'
import * as objects from './objects.ts'
import { streamMessage } from './stream-messages.ts'
import { paymentEvent, payoutEvent, WEBHOOKS } from './webhooks.ts'

const SCHEMAS = {
  Payment: objects.payment,
  CreatePayment: PUBLIC_OPERATIONS.createPayment.body?.schema ?? objects.payment,
  CreatedPayment: objects.createdPayment,
  CancelledPayment: objects.cancelled,
  Refund: objects.refund,
  CreateRefund: PUBLIC_OPERATIONS.refundPayment.body?.schema ?? objects.refund,
  CreatedRefund: objects.createdRefund,
  Payout: objects.payout,
  CreatePayout: PUBLIC_OPERATIONS.createPayout.body?.schema ?? objects.payout,
  CreatedPayout: objects.createdPayout,
  Bank: objects.bank,
  BankList: objects.bankList,
  PaymentEvent: paymentEvent,
  PayoutEvent: payoutEvent,
  StreamMessage: streamMessage,
}

interface Page {
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly answers: { readonly [status: number]: DocumentedAnswer }
}

const replay = (schema: DocumentedAnswer['schema']): DocumentedAnswer => ({
  description: 'The same Idempotency-Key and body: the object that is there, as it is now.',
  ...(schema === undefined ? {} : { schema }),
})

const PAGES: { readonly [O in keyof typeof PUBLIC_OPERATIONS]: Page } = {
  createPayment: {
    tag: 'Payments',
    summary: 'Create a payment',
    answers: {
      201: { description: 'The payment, and where to send the buyer.', schema: objects.createdPayment },
      200: replay(objects.createdPayment),
    },
  },
  getPayment: {
    tag: 'Payments',
    summary: 'Get a payment',
    answers: { 200: { description: 'The payment as it is now, with its refunds.', schema: objects.payment } },
  },
  cancelPayment: {
    tag: 'Payments',
    summary: 'Cancel a pending payment',
    answers: { 200: { description: 'It is cancelled.', schema: objects.cancelled } },
  },
  refundPayment: {
    tag: 'Payments',
    summary: 'Refund a succeeded payment, whole or in part',
    answers: {
      201: { description: 'The refund.', schema: objects.createdRefund },
      200: replay(objects.createdRefund),
    },
  },
  createPayout: {
    tag: 'Payouts',
    summary: 'Create an SBP payout',
    answers: { 201: { description: 'The payout.', schema: objects.createdPayout }, 200: replay(objects.createdPayout) },
  },
  getPayout: {
    tag: 'Payouts',
    summary: 'Get a payout',
    answers: { 200: { description: 'The payout as it is now.', schema: objects.payout } },
  },
  banks: {
    tag: 'Banks',
    summary: 'List the SBP banks',
    description: 'For choosing a `bank_id`. It is no allow-list: any id of the registry is taken and checked later.',
    answers: { 200: { description: 'Banks by name.', schema: objects.bankList } },
  },
  events: {
    tag: 'Events',
    summary: 'Open the event stream',
    description: 'One connection per key, a comment every 25 seconds, best effort. Webhooks are the sure channel.',
    answers: {
      200: {
        description: 'The stream; the JSON of each message is a `StreamMessage`.',
        schema: objects.eventStream,
        media: 'text/event-stream',
        message: streamMessage,
      },
    },
  },
}

const TAGS = [
  { name: 'Payments', description: 'Payments, their cancellation and refunds.' },
  { name: 'Payouts', description: 'Payouts by SBP to a phone number at a bank.' },
  { name: 'Banks', description: 'The directory of SBP member banks.' },
  { name: 'Events', description: 'What happens, while it happens.' },
  { name: 'Webhooks', description: "What the service sends to the merchant's endpoints." },
]

/** What every operation may refuse with. */
const ALWAYS: readonly ApiErrorCode[] = [
  // A header that is there twice.
  'bad_request',
  'signature_required',
  'invalid_signature',
  'unauthorized',
  // A browser that calls a server of this machine by a foreign name.
  'forbidden',
  'live_not_enabled',
  'ip_not_allowed',
  'rate_limited',
  'internal_error',
  'simulated_fault',
]

const SIGNATURE = 'Required where the shop says so: `sha256=` and the HMAC-SHA256 of the raw body in lower-case hex.'
const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(LONGEST_KEY)
  .meta({ description: 'The same key and body give the same object.' })
const SIMULATE = `The sandbox's plan for this object: ${PLAN_FORMS}.`

export function publicDocument(): unknown {
  const names = Object.keys(PAGES) as (keyof typeof PAGES)[]
  return documentOf(
    {
      title: 'Payment acceptance and payouts',
      version: API_VERSION,
      description: 'The public API of the sandbox: payments, refunds, SBP payouts, banks and the event stream.',
      servers: [
        { url: '/', description: 'This server.' },
        { url: '/api', description: 'The other spelling of the same paths.' },
      ],
      tags: TAGS,
      bearer: 'An API key of the shop: `sk_test_…` or `sk_live_…`.',
      schemas: SCHEMAS,
      webhooks: WEBHOOKS,
    },
    names.map((name) => routeOf(name, PUBLIC_OPERATIONS[name])),
  )
}

/** What a sandbox was asked and answered, from the fixture. */
const EXAMPLES: {
  readonly [O in keyof typeof PUBLIC_OPERATIONS]: {
    readonly request?: unknown
    readonly answers: { readonly [status: number]: unknown }
  }
} = examples.operations

function routeOf(name: keyof typeof PAGES, operation: Operation<unknown>): DocumentedRoute {
  const { method, path, body, bodyOptional, creates, refuses } = operation
  const checked: readonly ApiErrorCode[] = body === undefined ? [] : ['payload_too_large']
  const { request, answers: shown } = EXAMPLES[name]
  const { answers, ...page } = PAGES[name]
  const stored: readonly ApiErrorCode[] = method === 'GET' ? [] : ['storage_unavailable']
  return {
    operationId: name === 'banks' ? 'listBanks' : name === 'events' ? 'streamEvents' : name,
    method,
    path: `/v1/public${path}`,
    ...page,
    inPath: { id: `Id of the ${path.startsWith('/payouts') ? 'payout' : 'payment'}, a UUID in either letter case.` },
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, { ...answer, example: shown[Number(status)] }]),
    ),
    headers: {
      ...(creates ? { 'Idempotency-Key': IDEMPOTENCY_KEY, 'X-PSP-Simulate': SIMULATE } : {}),
      'X-PSP-Signature': SIGNATURE,
    },
    ...(body === undefined ? {} : { body: { schema: body.schema, required: bodyOptional !== true, example: request } }),
    refuses: [...new Set([...checked, ...ALWAYS, ...stored, ...refuses, ...(creates ? PLANNED_ERRORS : [])])],
  }
}
