// Decides which actions a row allows, and explains why it does not allow the others.
import { paymentTransition } from '../../domain/payment-states.ts'
import { refundableAmount } from '../../domain/refund.ts'
import type { ListedPayment, PaneName, Row } from '../rows/rows.ts'

/** `page` opens the hosted page in the browser, and `copy` copies the id. */
export const ROW_ACTIONS = ['pay', 'decline', 'cancel', 'refund', 'replay', 'retry', 'page', 'copy'] as const
export type RowAction = (typeof ROW_ACTIONS)[number]

export function isRowAction(name: string): name is RowAction {
  return ROW_ACTIONS.some((action) => action === name)
}

/** A next step that helps the user. Each renderer names its own key or button for this step. */
export type Remedy = 'show_payments' | 'show_webhooks' | 'create' | 'clear_marks' | 'show_marked'

export interface ActionIssue {
  readonly text: string
  readonly remedy?: Remedy
}

/**
 * Returns why the row does not allow the action, or `undefined` if it does.
 * @param pane the pane of the row
 */
export function rowActionIssue(row: Row | undefined, action: RowAction, pane: PaneName): ActionIssue | undefined {
  if (row === undefined) return { text: 'No row is selected.' }
  if (action === 'copy') return undefined
  if ('payment' in row) return issueForPayment(row.payment, action)
  if ('payout' in row) {
    if (action === 'pay' || action === 'decline') {
      return row.payout.status === 'pending'
        ? undefined
        : { text: `The payout is ${row.payout.status}. Only a pending payout can be settled.` }
    }
    if (action === 'replay' || action === 'retry') {
      return row.payout.status === 'pending' ? { text: 'The payout is pending. It has no webhook yet.' } : undefined
    }
    return { text: 'This action is for payments only.', remedy: 'show_payments' }
  }
  if ('event_id' in row && (action === 'replay' || action === 'retry')) return undefined
  if (action === 'replay' && 'message' in row && row.object_id !== undefined) return undefined
  return { text: noActionText(pane), remedy: 'show_payments' }
}

/** Returns why a row has no webhook to inspect or to send, or `undefined` if it may have one. */
export function webhookIssue(row: Row, pane: PaneName): ActionIssue | undefined {
  if ('request' in row) return { text: noActionText(pane), remedy: 'show_webhooks' }
  if ('message' in row && row.kind !== 'attempt')
    return { text: 'This line is not a webhook attempt. Select an attempt.' }
  return undefined
}

function noActionText(pane: PaneName): string {
  return `This action does nothing in the ${pane} pane.`
}

function issueForPayment(payment: ListedPayment, action: RowAction): ActionIssue | undefined {
  const { status } = payment
  const open = status === 'pending' || status === 'processing'
  switch (action) {
    case 'pay':
    case 'decline':
      return open ? undefined : { text: `The payment is already ${status}.`, remedy: 'create' }
    case 'cancel':
      return paymentTransition(status as 'pending', 'cancelled') === undefined
        ? { text: `The payment is ${status}. Only a pending payment can be cancelled.` }
        : undefined
    case 'refund':
      if (status !== 'succeeded') return { text: `The payment is ${status}. Only a succeeded payment can be refunded.` }
      return refundableAmount(payment, payment.refunds) > 0 ? undefined : { text: 'No refundable amount is left.' }
    case 'replay':
    case 'retry':
      return open ? { text: `The payment is ${status}. It has no webhook yet.` } : undefined
    default:
      return undefined
  }
}
