// Spec 4.1: POST /v1/public/payments.

import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { HTTPS_URL_PATTERN } from '../../domain/http-url.ts'
import { type Payment, type PublicPayment, presentPayment } from '../../domain/payment.ts'
import { returnUrlIssue } from '../../domain/return-url.ts'
import type { Mode } from '../../domain/shop.ts'
import { plannedOutcome } from '../../domain/simulator-plan.ts'
import type { PaymentInput } from '../../engine/command-inputs.ts'
import type { Settings } from '../../settings.ts'
import { type BodySchema, bodySchema } from '../body-schema.ts'
import { paymentMethod } from '../value-schemas.ts'
import { amount, currency, metadata, text, webhookUrl } from './fields.ts'
import { type Call, idempotentRequest, operation, refusedCode, refusedMessage } from './operation.ts'

export const createPaymentBody = bodySchema(
  z.object({
    amount,
    currency: currency.default('RUB'),
    method: paymentMethod.default('any').meta({
      description: 'How the buyer pays. With `any` the buyer chooses on the hosted page.',
    }),
    order_id: text("The shop's order number. Default: `ord_` and Unix milliseconds.").optional(),
    customer_id: text("The shop's id of the customer, stored in the metadata.").optional(),
    return_url: z
      .string({ error: 'an absolute https URL, or an http URL that the setting http_return_url allows' })
      .meta({
        pattern: HTTPS_URL_PATTERN,
        description:
          'The URL to which the buyer returns: `https://`. The setting `http_return_url` allows `http://` for this machine.',
      })
      .optional(),
    description: text('Purpose of the payment, shown to the buyer.').optional(),
    webhook_url: webhookUrl.optional(),
    metadata: metadata.optional(),
  }),
  ['order_id', 'customer_id', 'description'],
)

type Body = typeof createPaymentBody extends BodySchema<infer B> ? B : never

export const createPayment = operation({
  name: 'payment',
  method: 'POST',
  path: '/payments',
  body: createPaymentBody,
  creates: true,
  errors: ['aml_blocked', 'forbidden_purpose', 'idempotent_conflict'],
  run(call) {
    const { engine } = call.services
    const { object, repeated, cut, warnings } = engine.execute('create_payment', {
      caller: call.caller,
      input: paymentInput(call.body, call.world.settings),
      ...idempotentRequest(call),
    })
    call.entry.object_id = object.id
    call.entry.decided_by = object.plan.decided_by
    call.entry.warnings.push(...warnings)
    return { status: repeated ? 200 : 201, body: responseBody(call, object, repeated), cut }
  },
})

interface CreatedPayment {
  readonly payment: PublicPayment
  readonly payment_url: string
  readonly mode: Mode
  readonly idempotent: boolean
  simulator?: string
  bank?: string
  bank_ref?: string
  failure_code?: string
  failure_message?: string
}

/**
 * Converts a valid body to the input of the engine.
 * @throws RefusalError `bad_request` if the settings forbid `return_url`
 */
export function paymentInput(body: Body, { http_return_url }: Pick<Settings, 'http_return_url'>): PaymentInput {
  if (body.return_url !== undefined) {
    const issue = returnUrlIssue(body.return_url, { allowLoopbackHttp: http_return_url })
    if (issue !== undefined) throw refuse('bad_request', issue)
  }
  body.metadata ??= {}
  return body as PaymentInput
}

/** Spec 2.2. */
function responseBody({ world, shop, services, exchange }: Call<Body>, payment: Payment, idempotent: boolean) {
  const refunds = idempotent ? world.find('refunds', 'by_payment', payment.id) : []
  const failure = refusedCode(payment)
  const shown: CreatedPayment = {
    payment: presentPayment(payment, refunds, shop, world.settings),
    payment_url: `${services.payUrl(exchange)}/pay/${payment.id}`,
    mode: payment.mode,
    idempotent,
  }
  if (payment.mode === 'test') shown.simulator = plannedOutcome(payment.plan)
  if (payment.bank !== undefined) shown.bank = payment.bank
  if (payment.bank_ref !== undefined) shown.bank_ref = payment.bank_ref
  if (failure !== undefined) {
    shown.failure_code = failure
    shown.failure_message = refusedMessage(failure)
  }
  return shown
}
