// Spec 4: the public operations, with one function each.
import { encodeHeaderText } from '../domain/header-text.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { pathSegment, requireObject, requireOptions } from './call-arguments.ts'
import { ApiError } from './errors.ts'
import type { FetchResponse } from './fetch-like.ts'
import { type HttpClient, LIST } from './http-client.ts'
import type {
  CreatePaymentBody,
  CreatePaymentResponse,
  CreatePayoutBody,
  CreatePayoutResponse,
  RequestOptions,
  SbpBank,
} from './public-types.ts'

const PREFIX = '/v1/public'

const OBJECT = { id: 'string', status: 'string' } as const
const PAYMENT = { payment: 'object', payment_url: 'string' } as const
const PAYOUT = { payout: 'object' } as const

export interface PublicOperations {
  readonly payments: {
    create(body: CreatePaymentBody, options?: RequestOptions): Promise<CreatePaymentResponse>
    get(id: string): Promise<PublicPayment>
    cancel(id: string): Promise<{ status: 'cancelled' }>
    /** Refunds the whole remainder if no amount is given. */
    refund(
      id: string,
      body?: { amount?: number | undefined; reason?: string | undefined },
      options?: RequestOptions,
    ): Promise<PublicRefund>
  }
  readonly payouts: {
    create(body: CreatePayoutBody, options?: RequestOptions): Promise<CreatePayoutResponse>
    get(id: string): Promise<PublicPayout>
  }
  banks(): Promise<{ items: SbpBank[] }>
  /** Opens the event stream (spec 6.2): see {@link file://./follow.ts} for reading it. */
  events(signal?: AbortSignal): Promise<FetchResponse>
}

export function publicOperations({ open, json }: HttpClient): PublicOperations {
  const http: HttpClient = { open, json: (call) => json<never>(call).catch(nameOption) }
  const pathOf = (collection: string, id: string, action = '') => `${PREFIX}/${collection}/${pathSegment(id)}${action}`
  return {
    payments: {
      create: (body, options) =>
        http.json({
          method: 'POST',
          path: `${PREFIX}/payments`,
          body: requireObject('payments.create', body, 'an object, such as { amount: 150000 }'),
          responseShape: PAYMENT,
          ...headersAndSignal('payments.create', options),
        }),
      get: (id) => http.json({ method: 'GET', path: pathOf('payments', id), responseShape: OBJECT }),
      cancel: (id) =>
        http.json({ method: 'POST', path: pathOf('payments', id, '/cancel'), responseShape: { status: 'string' } }),
      refund: (id, body, options) =>
        http.json({
          method: 'POST',
          path: pathOf('payments', id, '/refund'),
          body: requireObject('payments.refund', body ?? {}, 'an object after the id, such as { amount: 100 }'),
          responseShape: OBJECT,
          ...headersAndSignal('payments.refund', options),
        }),
    },
    payouts: {
      create: (body, options) =>
        http.json({
          method: 'POST',
          path: `${PREFIX}/payouts`,
          body: requireObject('payouts.create', body, 'an object, such as { amount: 150000, phone: …, bank_id: … }'),
          responseShape: PAYOUT,
          ...headersAndSignal('payouts.create', options),
        }),
      get: (id) => http.json({ method: 'GET', path: pathOf('payouts', id), responseShape: OBJECT }),
    },
    banks: () => http.json({ method: 'GET', path: `${PREFIX}/banks/sbp`, responseShape: LIST }),
    events: (signal) =>
      http.open({ method: 'GET', path: `${PREFIX}/events`, headers: { Accept: 'text/event-stream' }, signal }),
  }
}

/** Renames the header in an error to the option that the caller used. */
function nameOption(error: unknown): never {
  if (!(error instanceof ApiError && error.message.startsWith(PLAN_HEADER))) throw error
  const message = `outcome${error.message.slice(PLAN_HEADER.length)}`
  throw new ApiError(error.status, error.code, message, error.retryAfter, error.hint)
}

const PLAN_HEADER = 'X-PSP-Simulate'

const OPTIONS = ['idempotencyKey', 'outcome', 'signal'] satisfies (keyof RequestOptions)[]

function headersAndSignal(call: string, options: RequestOptions = {}) {
  requireOptions(call, options, OPTIONS)
  const { idempotencyKey, outcome, signal } = options
  const key = idempotencyKey === undefined ? undefined : encodeHeaderText(idempotencyKey)
  return { headers: { 'Idempotency-Key': key, [PLAN_HEADER]: outcome }, signal }
}
