// Decides which actions a row allows, and explains why another one does nothing.
import { paymentTransition } from '../../domain/payment-states.ts'
import { refundableAmount } from '../../domain/refund.ts'
import type { ListedPayment, PaneName, Row } from '../rows/rows.ts'

export const ROW_ACTIONS = ['pay', 'decline', 'cancel', 'refund', 'replay', 'retry', 'page', 'copy'] as const
export type RowAction = (typeof ROW_ACTIONS)[number]

/**
 * Returns why the row does not allow the action, or `undefined` if it does.
 * @param pane the pane of the row
 */
export function rowActionIssue(row: Row | undefined, action: RowAction, pane: PaneName): string | undefined {
  if (row === undefined) return 'No row is selected.'
  if (action === 'copy') return undefined
  if ('payment' in row) return issueForPayment(row.payment, action)
  if ('payout' in row) {
    if (action === 'pay' || action === 'decline') {
      return row.payout.status === 'pending'
        ? undefined
        : `The payout is ${row.payout.status}. Only a pending payout can be settled.`
    }
    if (action === 'replay' || action === 'retry') {
      return row.payout.status === 'pending' ? 'The payout is pending. It has no webhook yet.' : undefined
    }
    return 'This key acts on payments only. Press 1 to show them.'
  }
  if ('event_id' in row && (action === 'replay' || action === 'retry')) return undefined
  if (action === 'replay' && 'data' in row && row.object_id !== undefined) return undefined
  return `This key does nothing in the ${pane} pane. Press 1 to show payments.`
}

/** Returns why a row has no webhook to inspect or to send, or `undefined` if it may have one. */
export function webhookIssue(row: Row, pane: PaneName): string | undefined {
  if ('request' in row) return `This key does nothing in the ${pane} pane. Press 3 to show webhooks.`
  if ('data' in row && row.kind !== 'attempt')
    return 'This line is not a webhook attempt. Select a line of the kind attempt.'
  return undefined
}

function issueForPayment(payment: ListedPayment, action: RowAction): string | undefined {
  const { status } = payment
  const open = status === 'pending' || status === 'processing'
  switch (action) {
    case 'pay':
    case 'decline':
      return open ? undefined : `The payment is already ${status}. Press n to create another one.`
    case 'cancel':
      return paymentTransition(status as 'pending', 'cancelled') === undefined
        ? `The payment is ${status}. Only a pending payment can be cancelled.`
        : undefined
    case 'refund':
      if (status !== 'succeeded') return `The payment is ${status}. Only a succeeded payment can be refunded.`
      return refundableAmount(payment, payment.refunds) > 0 ? undefined : 'No refundable amount is left.'
    case 'replay':
    case 'retry':
      return open ? `The payment is ${status}. It has no webhook yet.` : undefined
    default:
      return undefined
  }
}
