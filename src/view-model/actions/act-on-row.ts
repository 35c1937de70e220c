// Chooses the effect, the form or the question of an action on a row.
import { formatMoney } from '../../domain/currency.ts'
import { refundableAmount } from '../../domain/refund.ts'
import type { Effect } from '../effect.ts'
import { openDeclineForm, openRefundForm } from '../forms/open-form.ts'
import type { Dialog } from '../model.ts'
import { NO_ROWS, type Row, type Tables } from '../rows/rows.ts'
import { isFailing, webhookHealth } from '../rows/webhook-health.ts'
import type { RowAction } from './available-actions.ts'

/**
 * Returns the effect of an action, or the question or form to show before it. `pay`, `cancel` and `replay` always ask
 * first. `retry` asks unless the webhook fails.
 * Call this function only if `rowActionIssue` returns no reason against the action.
 * @param tables the known deliveries; `retry` chooses the failing one
 */
export function rowAction(
  row: Row,
  action: RowAction,
  tables: Pick<Tables, 'deliveries'> = NO_ROWS,
): Effect | Dialog | undefined {
  switch (action) {
    case 'copy':
      return { do: 'copy', text: idOf(row) }
    case 'pay':
      if ('payout' in row) {
        const question = `Complete payout ${row.id.slice(0, 8)}, ${moneyOf(row.payout)}?`
        return askFirst(question, { do: 'settle', id: row.id, status: 'succeeded' })
      }
      return 'payment' in row
        ? askFirst(`Pay ${row.id.slice(0, 8)}, ${moneyOf(row.payment)}?`, { do: 'pay', id: row.id })
        : undefined
    case 'page':
      return { do: 'open', id: row.id }
    case 'decline':
      return { kind: 'form', form: openDeclineForm(row.id, 'payout' in row ? 'payouts' : 'payments') }
    case 'refund':
      if (!('payment' in row)) return undefined
      return {
        kind: 'form',
        form: openRefundForm(row.id, refundableAmount(row.payment, row.payment.refunds), row.payment.currency),
      }
    case 'cancel': {
      if (!('payment' in row)) return undefined
      const question = `Cancel ${row.id.slice(0, 8)}, ${moneyOf(row.payment)}? This cannot be undone.`
      return askFirst(question, { do: 'cancel', id: row.id })
    }
    case 'replay': {
      if ('event_id' in row) {
        const question = `Replay ${row.event} for ${row.object_id.slice(0, 8)}?`
        return askFirst(question, { do: 'replay', event_id: row.event_id })
      }
      const object_id = objectOfRow(row)
      const question = `Replay the newest webhook event for ${object_id.slice(0, 8)}?`
      return askFirst(question, { do: 'replay_newest', object_id })
    }
    case 'retry': {
      if ('event_id' in row) {
        const effect: Effect = { do: 'retry', delivery_id: row.id }
        if (isFailing(row)) return effect
        const webhook = `The webhook ${row.event} for ${row.object_id.slice(0, 8)}`
        return askFirst(`${webhook} is ${row.status}. Send it ${row.attemptsMade === 0 ? 'now' : 'again'}?`, effect)
      }
      const object_id = objectOfRow(row)
      const known = webhookHealth(tables).byObject.get(object_id)
      // The delivery that fails, not the newest one.
      return known !== undefined && isFailing(known)
        ? { do: 'retry', delivery_id: known.id }
        : askFirst(`No webhook of ${object_id.slice(0, 8)} fails. Send its newest webhook again?`, {
            do: 'retry_newest',
            object_id,
          })
    }
  }
}

function askFirst(question: string, effect: Effect): Dialog {
  return { kind: 'confirm', question, effect }
}

/** Returns the id to copy. For a stream message this is the id of its object. */
function idOf(row: Row): string {
  return 'message' in row ? (row.object_id ?? row.id) : row.id
}

function objectOfRow(row: Row): string {
  return 'message' in row ? (row.object_id ?? '') : row.id
}

function moneyOf({ amount, currency }: { amount: number; currency: string }): string {
  return formatMoney(amount, currency)
}
