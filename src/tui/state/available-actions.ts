// What can be done with the chosen row: the keys of the moment, and why another key does nothing.
import { paymentTransition } from '../../domain/payment-states.ts'
import type { Command } from '../keys/key-table.ts'
import type { Row } from './rows.ts'
import type { State } from './state.ts'
import { selectedRow } from './visible-rows.ts'

/** The commands that act on a row. */
export const ROW_ACTIONS = [
  'pay',
  'decline',
  'cancel',
  'refund',
  'replay',
  'retry',
  'page',
  'copy',
] as const satisfies readonly Command[]
export type RowAction = (typeof ROW_ACTIONS)[number]

/** `undefined` where the command can be done now, else why not. */
export function rowActionIssue(state: State, act: RowAction): string | undefined {
  const row = selectedRow(state)
  return row === undefined ? 'Nothing is chosen.' : issueForRow(row, act, state)
}

function issueForRow(row: Row, act: RowAction, state: State): string | undefined {
  if (act === 'copy') return undefined
  if ('payment' in row) return issueForPayment(row.payment, act)
  if ('payout' in row) {
    if (act === 'pay' || act === 'decline') {
      return row.payout.status === 'pending'
        ? undefined
        : `The payout is ${row.payout.status}: only a pending one is settled.`
    }
    if (act === 'replay' || act === 'retry') {
      return row.payout.status === 'pending' ? 'The payout is pending: there is no webhook yet.' : undefined
    }
    return 'That is for payments: choose one with 1.'
  }
  if ('event_id' in row && (act === 'replay' || act === 'retry')) return undefined
  if (act === 'replay' && 'data' in row && row.object_id !== undefined) return undefined
  return `That is not for ${state.pane}: choose a payment with 1.`
}

function issueForPayment(
  payment: { status: string; amount: number; refunds: readonly { status: string; amount: number }[] },
  act: RowAction,
): string | undefined {
  const { status } = payment
  const open = status === 'pending' || status === 'processing'
  switch (act) {
    case 'pay':
    case 'decline':
      return open ? undefined : `The payment is ${status}: only an open one is paid or declined. n makes one.`
    case 'cancel':
      return paymentTransition(status as 'pending', 'cancelled') === undefined
        ? `The payment is ${status}: only a pending one is cancelled.`
        : undefined
    case 'refund':
      if (status !== 'succeeded') return `The payment is ${status}: only a succeeded one is refunded.`
      return refundableAmount(payment) > 0 ? undefined : 'Nothing is left to refund.'
    case 'replay':
    case 'retry':
      return open ? `The payment is ${status}: there is no webhook yet.` : undefined
    default:
      return undefined
  }
}

/** Minor units that are neither refunded nor reserved by a pending refund. */
export function refundableAmount(payment: {
  amount: number
  refunds: readonly { status: string; amount: number }[]
}): number {
  const taken = payment.refunds.filter(({ status }) => status !== 'failed')
  return taken.reduce((rest, { amount }) => rest - amount, payment.amount)
}
