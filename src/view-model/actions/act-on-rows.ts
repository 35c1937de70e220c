// Chooses the question or the form of an action on several rows.

import { groupDigits } from '../../domain/count-text.ts'
import { formatMoney } from '../../domain/currency.ts'
import { isSingleCall, type SingleCall } from '../effect.ts'
import { openDeclineManyForm } from '../forms/open-form.ts'
import type { Dialog } from '../model.ts'
import type { PaneName, Row, Tables } from '../rows/rows.ts'
import { rowAction } from './act-on-row.ts'
import { type ActionIssue, type RowAction, rowActionIssue } from './available-actions.ts'

const MANY_ACTIONS: readonly RowAction[] = ['pay', 'decline', 'cancel', 'replay', 'retry']

const VERBS: Readonly<Partial<Record<RowAction, string>>> = {
  pay: 'Pay',
  cancel: 'Cancel',
  replay: 'Replay the newest event of',
  retry: 'Retry the webhook of',
}

/**
 * Asks once for all rows. Skips rows that do not allow the action, and counts them in the question.
 * @returns the question, the form, or the reason why the action is not possible
 */
export function actOnRows(
  rows: readonly Row[],
  action: RowAction,
  pane: PaneName,
  tables: Pick<Tables, 'deliveries'>,
): Dialog | { readonly problem: ActionIssue } {
  if (!MANY_ACTIONS.includes(action))
    return { problem: { text: 'This action works on one row.', remedy: 'clear_marks' } }
  const allowed = rows.filter((row) => rowActionIssue(row, action, pane) === undefined)
  const [first] = allowed
  if (first === undefined) {
    return { problem: noRowIssue(rows, action, pane) }
  }
  const skipped = rows.length - allowed.length
  const note =
    skipped === 0 ? '' : ` ${groupDigits(skipped)} ${skipped === 1 ? 'other does' : 'others do'} not allow it.`
  if (action === 'decline') {
    const form = openDeclineManyForm(
      allowed.map(({ id }) => id),
      pane === 'payouts' ? 'payouts' : 'payments',
      totals(allowed),
    )
    return { kind: 'form', form: { ...form, title: `${form.title}.${note}` } }
  }
  const calls = allowed.flatMap((row) => callsOf(rowAction(row, action, tables)))
  const money = totals(allowed)
  const question = `${VERBS[action] ?? action} ${groupDigits(allowed.length)} ${allowed.length === 1 ? SINGULARS[pane] : pane}${money === '' ? '' : `, ${money}`}?${note}`
  return { kind: 'confirm', question, effect: { do: 'each', calls } }
}

const SINGULARS: Readonly<Record<PaneName, string>> = {
  payments: 'payment',
  payouts: 'payout',
  deliveries: 'delivery',
  requests: 'request',
  stream: 'message',
}

const PREDICATES: Readonly<Partial<Record<RowAction, string>>> = {
  pay: 'can be paid',
  decline: 'can be declined',
  cancel: 'can be cancelled',
  replay: 'has a webhook yet',
  retry: 'has a webhook yet',
}

/** Says why no row allows the action. Several payments or payouts are counted by status. */
function noRowIssue(rows: readonly Row[], action: RowAction, pane: PaneName): ActionIssue {
  const [first] = rows
  if (first === undefined) return { text: 'No marked row is shown.', remedy: 'show_marked' }
  const predicate = PREDICATES[action]
  const objects = rows.flatMap((row) => ('payment' in row ? row.payment : 'payout' in row ? row.payout : []))
  // No status of a payout allows this, so the statuses do not explain it.
  const isPayoutCancel = pane === 'payouts' && action === 'cancel'
  const doStatusesExplain = objects.length > 1 && !isPayoutCancel
  if (predicate === undefined || !doStatusesExplain) {
    return rowActionIssue(first, action, pane) ?? { text: 'No marked row allows this action.' }
  }
  const counts = new Map<string, number>()
  for (const { status } of objects) counts.set(status, (counts.get(status) ?? 0) + 1)
  const list = [...counts].map(([status, count]) => `${groupDigits(count)} ${status}`).join(', ')
  return { text: `None of the ${groupDigits(rows.length)} marked ${pane} ${predicate}: ${list}.` }
}

/** Returns the call in an effect, or in the effect that a question confirms. */
function callsOf(result: ReturnType<typeof rowAction>): readonly SingleCall[] {
  if (result === undefined || ('kind' in result && result.kind === 'form')) return []
  const effect = 'kind' in result ? result.effect : result
  return isSingleCall(effect) ? [effect] : []
}

/** The sum of the amounts in each currency. */
function totals(rows: readonly Row[]): string {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const object = 'payment' in row ? row.payment : 'payout' in row ? row.payout : undefined
    if (object !== undefined) sums.set(object.currency, (sums.get(object.currency) ?? 0) + object.amount)
  }
  return [...sums].map(([currency, sum]) => formatMoney(sum, currency)).join(' and ')
}
