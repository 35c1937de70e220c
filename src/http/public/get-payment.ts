// Spec 4.2: GET /v1/public/payments/{id}.
import { presentPayment } from '../../domain/payment.ts'
import { findPayment } from '../../engine/find-payment.ts'
import { operation } from './operation.ts'

export const getPayment = operation({
  name: 'payment.get',
  method: 'GET',
  path: '/payments/:id',
  errors: ['not_found'],
  run({ id, given_id, world, shop, caller, paymentResponses: shownAgain }) {
    const payment = findPayment(world, caller, given_id)
    const refunds = world.find('refunds', 'by_payment', id)
    if (refunds.length > 0) return { status: 200, body: presentPayment(payment, refunds, shop, world.settings) }
    const { body, text } = shownAgain(payment, shop, world.settings)
    return { status: 200, body, text }
  },
})
