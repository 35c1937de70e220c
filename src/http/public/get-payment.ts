// Spec 4.2: GET /v1/public/payments/{id}.
import { refuse } from '../../domain/errors.ts'
import { presentPayment } from '../../domain/payment.ts'
import { operation } from './operation.ts'

export const getPayment = operation({
  name: 'payment.get',
  method: 'GET',
  path: '/payments/:id',
  refuses: ['not_found'],
  run({ id, world, shop, caller, shownAgain }) {
    const payment = world.get('payments', id)
    // What belongs to another shop or mode does not exist for this key.
    if (payment === undefined || payment.shop_id !== shop.id || payment.mode !== caller.mode) {
      throw refuse('not_found', 'There is no such payment.')
    }
    const refunds = world.find('refunds', 'by_payment', id)
    if (refunds.length > 0) return { status: 200, body: presentPayment(payment, refunds, shop, world.settings) }
    const { body, text } = shownAgain(payment, shop, world.settings)
    return { status: 200, body, text }
  },
})
