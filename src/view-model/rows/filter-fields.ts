// The fields that a filter can compare, for each pane.
import type { DeliveryRow, MessageRow, PaneName, PaymentRow, PayoutRow, RequestRow, RowOf } from './rows.ts'
import { isFailing } from './webhook-health.ts'

/** An amount is in minor units. */
export type FieldValue = string | number | null | undefined | { readonly amount: number; readonly currency: string }

type Fields<R> = Readonly<Record<string, (row: R) => FieldValue>>

const payments: Fields<PaymentRow> = {
  status: ({ payment }) => payment.status,
  amount: ({ payment }) => payment,
  refunded: ({ payment }) => ({ amount: payment.amount_refunded, currency: payment.currency }),
  currency: ({ payment }) => payment.currency,
  method: ({ payment }) => payment.method,
  order: ({ payment }) => payment.order_id,
  code: ({ payment }) => payment.metadata['failure_code'],
  shop: ({ payment }) => payment.shop_name ?? payment.shop_id,
  payer: ({ payment }) => payment.customer_phone_mask ?? payment.customer_card_mask,
  description: ({ payment }) => payment.description,
  created: ({ payment }) => payment.created_at,
  id: ({ id }) => id,
}

const payouts: Fields<PayoutRow> = {
  status: ({ payout }) => payout.status,
  amount: ({ payout }) => payout,
  currency: ({ payout }) => payout.currency,
  phone: ({ payout }) => payout.recipient.phone,
  bank: ({ payout }) => payout.recipient.bank_id,
  name: ({ payout }) => payout.recipient.full_name,
  reason: ({ payout }) => payout.fail_reason,
  created: ({ payout }) => payout.created_at,
  id: ({ id }) => id,
}

const deliveries: Fields<DeliveryRow> = {
  status: ({ status }) => status,
  failing: (row) => (isFailing(row) ? 'yes' : 'no'),
  replay: ({ replay }) => (replay ? 'yes' : 'no'),
  edited: ({ edited }) => (edited ? 'yes' : 'no'),
  event: ({ event }) => event,
  result: ({ lastAttempt }) => lastAttempt?.status ?? lastAttempt?.error,
  tries: ({ attemptsMade }) => attemptsMade,
  ms: ({ lastAttempt }) => lastAttempt?.ms,
  to: ({ url }) => url,
  object: ({ object_id }) => object_id,
  id: ({ id }) => id,
}

const requests: Fields<RequestRow> = {
  status: ({ request }) => request.status,
  method: ({ request }) => request.method,
  path: ({ request }) => request.path,
  ms: ({ request }) => request.ms,
  code: ({ request }) => request.code,
  decided: ({ request }) => request.decided_by,
  object: ({ request }) => request.object_id,
}

const stream: Fields<MessageRow> = {
  kind: ({ kind }) => kind,
  what: ({ summary }) => summary,
  object: ({ object_id }) => object_id,
}

export const FILTER_FIELDS: { readonly [P in PaneName]: Fields<RowOf<P>> } = {
  payments,
  payouts,
  deliveries,
  requests,
  stream,
}
