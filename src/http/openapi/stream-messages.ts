// Spec 6.2: the messages of the event stream as schemas, for the JSON of each `data:` line.

import * as z from 'zod'
import type { StreamKind } from '../../domain/events.ts'
import { paymentStatus, payoutStatus, refundStatus, variants } from '../value-schemas.ts'

const id = z.string().meta({ format: 'uuid', description: 'The id of the object.' })
const amount = z.int().min(0).meta({ format: 'int64', description: 'Amount in minor units of the currency.' })
const currency = z.string().meta({ description: 'ISO 4217 code.' })
const order_id = z.string().meta({ description: "The shop's order number." })
const NOW = 'The status after the event.'
const BEFORE = 'The status before the event.'

const payment = { id, status: paymentStatus.meta({ description: NOW }), amount, currency, order_id }
const payout = { id, status: payoutStatus.meta({ description: NOW }), amount, currency }
const refund = {
  id,
  payment_id: z.string().meta({ format: 'uuid', description: 'The payment that is refunded.' }),
  status: refundStatus.meta({ description: NOW }),
  amount,
  currency,
  order_id,
}

const message = <K extends StreamKind, P extends z.ZodRawShape>(kind: K, payload: P) =>
  z.strictObject({
    kind: z.literal(kind).meta({ description: 'The same as in the `event:` line.' }),
    payload: z.strictObject(payload).meta({ description: 'A summary of the object. GET returns the whole object.' }),
    at: z.string().meta({ format: 'date-time', description: 'The time of the event, as RFC 3339 in UTC.' }),
  })

export const STREAM_MESSAGES = {
  'payment.created': message('payment.created', payment),
  'payment.status_changed': message('payment.status_changed', {
    ...payment,
    previous_status: paymentStatus.meta({ description: BEFORE }),
  }),
  'payout.created': message('payout.created', payout),
  'payout.status_changed': message('payout.status_changed', {
    ...payout,
    previous_status: payoutStatus.meta({ description: BEFORE }),
  }),
  'refund.created': message('refund.created', refund),
} as const satisfies Record<StreamKind, z.ZodType>

/** The schemas of the messages by their names in the document. */
export const STREAM_SCHEMAS = {
  PaymentCreatedMessage: STREAM_MESSAGES['payment.created'],
  PaymentStatusChangedMessage: STREAM_MESSAGES['payment.status_changed'],
  PayoutCreatedMessage: STREAM_MESSAGES['payout.created'],
  PayoutStatusChangedMessage: STREAM_MESSAGES['payout.status_changed'],
  RefundCreatedMessage: STREAM_MESSAGES['refund.created'],
}

export const streamMessage = variants('kind', STREAM_MESSAGES)
