// Explicit acts: the developer plays the buyer, the bank or time itself.
import * as z from 'zod'
import { FAILURE_CODE_NAMES } from '../../domain/failure-codes.ts'
import { PAGE_METHODS } from '../../domain/payment-methods.ts'
import { presentRefund } from '../../domain/refund.ts'
import type { PaymentAction } from '../../engine/command.ts'
import { given, oneOf, text } from './fields.ts'
import { showPayment, showPayout } from './present.ts'
import { ok, route } from './route.ts'

const method = oneOf(...PAGE_METHODS)
// The decision refuses the rest, in words that list what is known; the document lists it too.
const failureCode = text('a failure code')
  .meta({ enum: [...FAILURE_CODE_NAMES], description: 'Default do_not_honor.' })
  .optional()

const act = <const N extends string>(name: N, description: string) => z.literal(name).meta({ description })

const paymentAct = z.discriminatedUnion(
  'action',
  [
    z.strictObject({
      action: act('choose_method', 'The buyer picks a method.'),
      method: method.meta({ description: 'What the buyer picks.' }),
    }),
    z.strictObject({ action: act('open_session', 'The bank session opens.') }),
    z.strictObject({
      action: act('pay', 'The buyer pays, and the bank approves at once.'),
      method: method.optional().meta({ description: 'Where none is chosen yet. Default: sbp.' }),
    }),
    z.strictObject({
      action: act('decline', 'The bank refuses at once.'),
      failure_code: failureCode,
      method: method.optional().meta({ description: 'Where none is chosen yet. Default: sbp.' }),
    }),
    z.strictObject({ action: act('expire', 'Its time runs out at once.') }),
  ],
  { error: 'one of choose_method, open_session, pay, decline, expire' },
)

const settleAct = z.strictObject({
  action: oneOf('settle').meta({ description: 'The only one.' }),
  status: oneOf('succeeded', 'failed').meta({ description: 'How it ends.' }),
  failure_code: failureCode,
})

export const acts = [
  route({
    method: 'POST',
    path: '/payments/:id/act',
    summary: 'Plays the buyer, the bank or time on a payment',
    body: paymentAct,
    answers: { 200: 'Payment' },
    refuses: ['bad_request', 'not_found', 'not_allowed'],
    run({ services, world, body, param }) {
      const act = given(body) as PaymentAction
      const payment = services.engine.execute('act_on_payment', { payment_id: param('id'), act })
      return ok(showPayment(world, payment))
    },
  }),
  route({
    method: 'POST',
    path: '/payouts/:id/act',
    summary: 'Settles a pending payout',
    body: settleAct,
    answers: { 200: 'Payout' },
    refuses: ['bad_request', 'not_found', 'not_allowed'],
    run({ services, world, body, param }) {
      const { action, ...settlement } = given(body)
      const payout = services.engine.execute('settle_payout', { payout_id: param('id').toLowerCase(), ...settlement })
      return ok(showPayout(world, payout))
    },
  }),
  route({
    method: 'POST',
    path: '/refunds/:id/act',
    summary: 'Settles a pending refund',
    body: settleAct,
    answers: { 200: 'Refund' },
    refuses: ['bad_request', 'not_found', 'not_allowed'],
    run({ services, world, body, param }) {
      const { action, ...settlement } = given(body)
      const refund = services.engine.execute('settle_refund', { refund_id: param('id').toLowerCase(), ...settlement })
      return ok(presentRefund(refund, world.settings))
    },
  }),
]
