import * as z from 'zod'
import { PAGE_METHODS } from '../../domain/payment.ts'
import { presentRefund } from '../../domain/refund.ts'
import { showPayment, showPayout } from './present.ts'
import { changed, ok, oneOf, route, text } from './route.ts'
import { given } from './shops.ts'

const method = oneOf(...PAGE_METHODS)
const code = text('a failure code').optional()

const ACTIONS = 'one of choose_method, open_session, pay, decline, expire'
const paymentAct = z.discriminatedUnion(
  'action',
  [
    z.object({ action: z.literal('choose_method'), method }),
    z.object({ action: z.literal('open_session') }),
    z.object({ action: z.literal('pay'), method: method.optional() }),
    z.object({ action: z.literal('decline'), failure_code: code, method: method.optional() }),
    z.object({ action: z.literal('expire') }),
  ],
  { error: ACTIONS },
)

const settleAct = z.object({
  action: oneOf('settle'),
  status: oneOf('succeeded', 'failed'),
  failure_code: code,
})

export const acts = [
  route({
    method: 'POST',
    path: '/payments/:id/act',
    summary: 'Plays the buyer, the bank or time on a payment',
    body: paymentAct,
    refuses: ['not_found', 'not_allowed', 'bad_request'],
    run({ services, world, body, param }) {
      const act = given(body) as Parameters<typeof services.engine.execute<'act_on_payment'>>[1]['act']
      const payment = services.engine.execute('act_on_payment', { payment_id: param('id'), act })
      return changed(services, ok(showPayment(world, payment)))
    },
  }),
  route({
    method: 'POST',
    path: '/payouts/:id/act',
    summary: 'Settles a pending payout',
    body: settleAct,
    refuses: ['not_found', 'not_allowed', 'bad_request'],
    run({ services, world, body, param }) {
      const { action, ...settlement } = given(body)
      const payout = services.engine.execute('settle_payout', { payout_id: param('id').toLowerCase(), ...settlement })
      return changed(services, ok(showPayout(world, payout)))
    },
  }),
  route({
    method: 'POST',
    path: '/refunds/:id/act',
    summary: 'Settles a pending refund',
    body: settleAct,
    refuses: ['not_found', 'not_allowed', 'bad_request'],
    run({ services, world, body, param }) {
      const { action, ...settlement } = given(body)
      const refund = services.engine.execute('settle_refund', { refund_id: param('id').toLowerCase(), ...settlement })
      return changed(services, ok(presentRefund(refund, world.settings)))
    },
  }),
]
