// Spec 4.3: POST /v1/public/payments/{id}/cancel.
import { operation } from './operation.ts'

export const cancelPayment = operation({
  name: 'payment.cancel',
  method: 'POST',
  path: '/payments/:id/cancel',
  errors: ['not_found', 'not_pending'],
  run({ services, caller, given_id }) {
    const { status } = services.engine.execute('cancel_payment', { caller, payment_id: given_id })
    return { status: 200, body: { status } }
  },
})
