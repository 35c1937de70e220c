// Actions by which a developer plays the buyer or the bank, or lets a payment expire.

import * as z from 'zod'
import { PAYOUT_ONLY_CODES } from '../../domain/failure-codes.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { presentRefund } from '../../domain/refund.ts'
import type { PaymentAction } from '../../engine/command-inputs.ts'
import { stringEnum } from '../../settings.ts'
import { failureCode, pageMethod, variants } from '../value-schemas.ts'
import { showPayment, showPayout } from './present.ts'
import { ok, route } from './route.ts'

/** Added to the description of a payment's failure code: the codes that only payouts have. */
export const PAYOUT_CODES_NOTE = `Codes for payouts: ${PAYOUT_ONLY_CODES.join(', ')}.`

/** One schema has the codes of payments and payouts, because generated clients have one type for them. */
const declineCode = failureCode
  .optional()
  .meta({ description: `The failure code. Default: do_not_honor. ${PAYOUT_CODES_NOTE}` })
const settledCode = failureCode.optional().meta({ description: 'The failure code. Default: do_not_honor.' })

const actionName = <const N extends string>(name: N, description: string) => z.literal(name).meta({ description })

/** The actions on a payment by their names in the document. */
export const ACTIONS = {
  ChooseMethodAct: z.strictObject({
    action: actionName('choose_method', 'The buyer chooses a method.'),
    method: pageMethod.meta({ description: 'The method that the buyer chooses.' }),
  }),
  OpenSessionAct: z.strictObject({ action: actionName('open_session', 'The bank session opens.') }),
  PayAct: z.strictObject({
    action: actionName('pay', 'The buyer pays, and the bank approves immediately.'),
    method: pageMethod.optional().meta({ description: 'Used if the payment has no method yet. Default: sbp.' }),
  }),
  DeclineAct: z.strictObject({
    action: actionName('decline', 'The bank declines immediately.'),
    failure_code: declineCode,
    method: pageMethod.optional().meta({ description: 'Used if the payment has no method yet. Default: sbp.' }),
  }),
  ExpireAct: z.strictObject({ action: actionName('expire', 'The payment expires immediately.') }),
} as const

const paymentAction = variants('action', ACTIONS, 'one of choose_method, open_session, pay, decline, expire')

/** For the document: `failure_code` is valid only if the status is `failed`. The engine checks this. */
const FAILURE_ONLY = { failure_code: { properties: { status: { const: 'failed' } } } }

const settleAction = () =>
  z
    .strictObject({
      action: stringEnum('settle').meta({ description: 'The only action.' }),
      status: stringEnum('succeeded', 'failed').meta({ description: 'The final status.' }),
      failure_code: settledCode,
    })
    .meta({ dependentSchemas: FAILURE_ONLY })

export const actionRoutes = [
  route({
    name: 'actOnPayment',
    method: 'POST',
    path: '/payments/:id/act',
    summary: 'Act on a payment',
    description: 'Plays the buyer or the bank, or lets the payment expire.',
    body: paymentAction,
    responses: { 200: 'Payment' },
    errors: ['not_allowed'],
    run({ services, world, body, param }) {
      const act = omitUndefined(body) as PaymentAction
      const payment = services.engine.execute('act_on_payment', { payment_id: param('id'), act })
      return ok(showPayment(world, payment))
    },
  }),
  route({
    name: 'settlePayout',
    method: 'POST',
    path: '/payouts/:id/act',
    summary: 'Settle a payout',
    description: 'Gives a pending payout its final status.',
    body: settleAction(),
    responses: { 200: 'Payout' },
    errors: ['not_allowed'],
    run({ services, world, body, param }) {
      const { action, ...settlement } = omitUndefined(body)
      const payout = services.engine.execute('settle_payout', { payout_id: param('id'), ...settlement })
      return ok(showPayout(world, payout))
    },
  }),
  route({
    name: 'settleRefund',
    method: 'POST',
    path: '/refunds/:id/act',
    summary: 'Settle a refund',
    description: 'Gives a pending refund its final status.',
    body: settleAction(),
    responses: { 200: 'Refund' },
    errors: ['not_allowed'],
    run({ services, world, body, param }) {
      const { action, ...settlement } = omitUndefined(body)
      const refund = services.engine.execute('settle_refund', { refund_id: param('id'), ...settlement })
      return ok(presentRefund(refund, world.settings))
    },
  }),
]
