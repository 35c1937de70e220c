// Spec 4.4: POST /v1/public/payments/{id}/refund.

import * as z from 'zod'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { presentRefund } from '../../domain/refund.ts'
import { bodySchema } from '../body-schema.ts'
import { refundAmount, text } from './fields.ts'
import { idempotentRequest, operation } from './operation.ts'

export const refundPaymentBody = bodySchema(
  z.object({
    amount: refundAmount.optional(),
    reason: text('The reason for the refund. The refund contains it.').optional(),
  }),
  ['reason'],
)

export const refundPayment = operation({
  name: 'refund',
  method: 'POST',
  path: '/payments/:id/refund',
  body: refundPaymentBody,
  bodyOptional: true,
  creates: true,
  errors: ['not_found', 'idempotent_conflict', 'not_refundable', 'already_refunded', 'amount_exceeds_remainder'],
  run(call) {
    const { services, world, caller, given_id, body, entry } = call
    const { object, repeated, cut, warnings } = services.engine.execute('refund_payment', {
      caller,
      payment_id: given_id,
      ...omitUndefined({ amount: body.amount, reason: body.reason }),
      ...idempotentRequest(call),
    })
    entry.decided_by = object.plan.decided_by
    entry.warnings.push(...warnings)
    const refund = presentRefund(object, world.settings)
    return { status: repeated ? 200 : 201, body: { ...refund, idempotent: repeated }, cut }
  },
})
