// A command on the chosen row, which {@link file://./offers.ts} has allowed: at once, through a form, or after a question.
import { formatMoney } from '../../domain/currency.ts'
import { openDeclineForm, openRefundForm } from '../forms/open-form.ts'
import { type RowAction, refundableAmount } from './available-actions.ts'
import type { Effect } from './effect.ts'
import type { Row } from './rows.ts'
import type { Overlay, State } from './state.ts'
import { selectedRow } from './visible-rows.ts'

export function actOnRow(state: State, command: RowAction): readonly [State, readonly Effect[]] {
  const row = selectedRow(state)
  if (row === undefined) return [state, []]
  const what = resultOf(row, command)
  if (what === undefined) return [state, []]
  if ('kind' in what) return [{ ...state, overlay: what }, []]
  const calls = what.do !== 'copy'
  return [{ ...state, pendingCalls: state.pendingCalls + (calls ? 1 : 0) }, [what]]
}

function resultOf(row: Row, command: RowAction): Effect | Overlay | undefined {
  switch (command) {
    case 'copy':
      return { do: 'copy', text: idOf(row) }
    case 'pay':
      return 'payout' in row ? { do: 'settle', id: row.id, status: 'succeeded' } : { do: 'pay', id: row.id }
    case 'page':
      return { do: 'open', id: row.id }
    case 'decline':
      return { kind: 'form', form: openDeclineForm(row.id, 'payout' in row ? 'payouts' : 'payments') }
    case 'refund':
      return 'payment' in row
        ? { kind: 'form', form: openRefundForm(row.id, refundableAmount(row.payment), row.payment.currency) }
        : undefined
    case 'cancel':
      return 'payment' in row
        ? askFirst(`Cancel ${row.id.slice(0, 8)}, ${moneyOf(row.payment)}? This is final.`, {
            do: 'cancel',
            id: row.id,
          })
        : undefined
    case 'replay':
      if ('event_id' in row) {
        return askFirst(`Send ${row.event} of ${row.object_id.slice(0, 8)} again?`, {
          do: 'replay',
          event_id: row.event_id,
        })
      }
      return askFirst(`Send the newest webhook of ${objectOfRow(row).slice(0, 8)} again?`, {
        do: 'replay_newest',
        object_id: objectOfRow(row),
      })
    case 'retry':
      return 'event_id' in row
        ? { do: 'retry', delivery_id: row.id }
        : { do: 'retry_newest', object_id: objectOfRow(row) }
  }
}

function askFirst(question: string, effect: Effect): Overlay {
  return { kind: 'confirm', question, effect }
}

/** The id people look for: of a message, the object it is about. */
function idOf(row: Row): string {
  return 'data' in row ? (row.object_id ?? row.id) : row.id
}

function objectOfRow(row: Row): string {
  return 'data' in row ? (row.object_id ?? '') : row.id
}

function moneyOf({ amount, currency }: { amount: number; currency: string }): string {
  return formatMoney(amount, currency)
}
