// Routes that create payments and payouts, and cancel and refund payments, for the dashboard. They need no API key.
// Like all requests to the control API, they are not in the request log.
import * as z from 'zod'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { presentRefund } from '../../domain/refund.ts'
import { PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import { PLAN_PATTERN } from '../../domain/text-patterns.ts'
import { requireRow } from '../../engine/require-row.ts'
import type { World } from '../../engine/world.ts'
import { createPaymentBody, paymentInput } from '../public/create-payment.ts'
import { createPayoutBody } from '../public/create-payout.ts'
import { refundPaymentBody } from '../public/refund-payment.ts'
import { text } from './fields.ts'
import { validatePlanned } from './input.ts'
import { showPayment, showPayout } from './present.ts'
import { created, ok, route } from './route.ts'
import { firstShopId } from './shops.ts'

const outcome = text('a plan such as failed:insufficient_funds@30s').optional().meta({
  pattern: PLAN_PATTERN,
  description: 'The plan of the simulator. Default: rules, magic values and settings decide.',
})
const shop_id = text('the id of a shop').optional().meta({ description: 'The shop. Default: the oldest one.' })

export const shopOperationRoutes = [
  route({
    name: 'createPayment',
    method: 'POST',
    path: '/payments',
    summary: 'Create a payment',
    description: "Creates a test payment, as `POST /v1/public/payments` does with the shop's test key.",
    body: z.strictObject({ ...createPaymentBody.schema.shape, outcome, shop_id }),
    responses: { 201: 'Payment' },
    links: { actOnPayment: '/id', cancelPayment: '/id', refundPayment: '/id' },
    errors: [...PLANNED_ERRORS],
    run({ services: { engine }, world, body, numbers }) {
      const { shop_id, ...fields } = body as Record<string, unknown>
      const { body: input, plan } = validatePlanned(createPaymentBody, fields, numbers)
      const { object } = engine.execute('create_payment', {
        caller: callerOf(world, shop_id),
        input: paymentInput(input, world.settings),
        ...plan,
      })
      return created(showPayment(world, object))
    },
  }),
  route({
    name: 'createPayout',
    method: 'POST',
    path: '/payouts',
    summary: 'Create a payout',
    description: "Creates a test payout, as `POST /v1/public/payouts` does with the shop's test key.",
    body: z.strictObject({ ...createPayoutBody.schema.shape, outcome, shop_id }),
    responses: { 201: 'Payout' },
    links: { settlePayout: '/id' },
    errors: ['route_not_configured', 'method_not_supported', ...PLANNED_ERRORS],
    run({ services: { engine }, world, body, numbers }) {
      const { shop_id, ...fields } = body as Record<string, unknown>
      const { body: checked, plan } = validatePlanned(createPayoutBody, fields, numbers)
      const { method: _, ...input } = checked
      const { object } = engine.execute('create_payout', {
        caller: callerOf(world, shop_id),
        input: omitUndefined(input),
        ...plan,
      })
      return created(showPayout(world, object))
    },
  }),
  route({
    name: 'cancelPayment',
    method: 'POST',
    path: '/payments/:id/cancel',
    summary: 'Cancel a payment',
    description: 'Cancels a payment, as the shop does.',
    responses: { 200: 'Payment' },
    errors: ['not_pending'],
    run({ services: { engine }, world, param }) {
      const { shop_id, mode } = requireRow(world, 'payments', param('id'))
      const payment = engine.execute('cancel_payment', { caller: { shop_id, mode }, payment_id: param('id') })
      return ok(showPayment(world, payment))
    },
  }),
  route({
    name: 'refundPayment',
    method: 'POST',
    path: '/payments/:id/refund',
    summary: 'Refund a payment',
    description: 'Refunds a payment in whole or in part, as the shop does.',
    body: z.strictObject({ ...refundPaymentBody.schema.shape, outcome }),
    bodyOptional: true,
    responses: { 201: 'Refund' },
    links: { settleRefund: '/id' },
    errors: ['not_refundable', 'already_refunded', 'amount_exceeds_remainder', ...PLANNED_ERRORS],
    run({ services: { engine }, world, body, numbers, param }) {
      const { shop_id, mode } = requireRow(world, 'payments', param('id'))
      const { body: checked, plan } = validatePlanned(refundPaymentBody, body as Record<string, unknown>, numbers)
      const { object } = engine.execute('refund_payment', {
        caller: { shop_id, mode },
        payment_id: param('id'),
        ...omitUndefined(checked),
        ...plan,
      })
      return created(presentRefund(object, world.settings))
    },
  }),
]

function callerOf(world: World, shopId: unknown) {
  const shop = requireRow(world, 'shops', String(shopId ?? firstShopId(world)))
  return { shop_id: shop.id, mode: 'test' } as const
}
