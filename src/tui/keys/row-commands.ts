// The commands on the selected row, on the marked rows, and on the detail.
import { groupDigits } from '../../domain/count-text.ts'
import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { actOnRows } from '../../view-model/actions/act-on-rows.ts'
import { type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { curlText, verifyText } from '../../view-model/actions/copy-text.ts'
import { openResendForm } from '../../view-model/forms/open-form.ts'
import { selectedIndex, selectedRow, visibleRows } from '../../view-model/rows/visible-rows.ts'
import { withForm, withPendingCall, withWarning } from '../state/changes.ts'
import { type Bulk, NO_MARKS, type State, type Update } from '../state/state.ts'
import { foldAll, moveToNode } from './fold.ts'
import type { Command } from './key-table.ts'
import { selectIndex } from './move.ts'
import type { PaletteItem } from './palette.ts'

/** Performs the action on the marked rows, or else on the selected row. Shows why it cannot. */
export function actOnSelection(state: State, action: RowAction): Update {
  const { marks, pane, tables } = state
  if (marks.size > 0 && action !== 'copy' && action !== 'page') {
    if (state.bulk !== undefined) return [withWarning(state, busyText(state.bulk)), []]
    const rows = visibleRows(state, pane).filter(({ id }) => marks.has(id))
    const result = actOnRows(rows, action, pane, tables)
    return 'problem' in result ? [withWarning(state, result.problem), []] : [{ ...state, overlay: result }, []]
  }
  const row = selectedRow(state)
  const reason = rowActionIssue(row, action, pane)
  if (reason !== undefined) return [withWarning(state, reason), []]
  const result = row === undefined ? undefined : rowAction(row, action, tables)
  if (result === undefined) return [state, []]
  if ('kind' in result) return [{ ...state, overlay: result }, []]
  return [result.do === 'copy' ? state : withPendingCall(state), [result]]
}

function busyText({ total }: Bulk): string {
  return `An action on ${groupDigits(total)} rows is running. Press Esc to stop it, or wait until it is done.`
}

export function runRowCommand(state: State, command: Command | PaletteItem['command']): Update {
  switch (command) {
    case 'mark':
      return [markSelected(state), []]
    case 'mark_all':
      return [{ ...state, marks: state.marks.size > 0 ? NO_MARKS : idsOfVisible(state) }, []]
    case 'resend':
      return [openResend(state), []]
    case 'edit_body':
      return editBody(state)
    case 'compare':
      return [toggleComparison(state), []]
    case 'verify':
      return verifySignature(state)
    case 'fold':
      return [foldAll(state), []]
    case 'next_node':
      return [moveToNode(state, 1), []]
    case 'previous_node':
      return [moveToNode(state, -1), []]
    case 'mouse':
      return [{ ...state, mouse: !state.mouse }, []]
    case 'copy_curl':
      return copy(state, 'a curl command', state.detail && curlText(state.detail, state.url))
    case 'copy_verify':
      return copy(state, 'the psp verify line', state.detail && verifyText(state.detail))
    default:
      return [state, []]
  }
}

/** Marks or unmarks the row, and moves to the next one. */
function markSelected(state: State): State {
  const id = selectedRow(state)?.id
  if (id === undefined) return state
  const marks = new Set(state.marks)
  if (!marks.delete(id)) marks.add(id)
  return { ...selectIndex(state, selectedIndex(state) + 1), marks }
}

function idsOfVisible(state: State): ReadonlySet<string> {
  return new Set(visibleRows(state, state.pane).map(({ id }) => id))
}

function openResend(state: State): State {
  const row = selectedRow(state)
  if (row !== undefined && 'event_id' in row) return withForm(state, openResendForm(row.event_id, row.event, row.url))
  const delivery = state.detail?.deliveries[0]
  return delivery === undefined
    ? withWarning(state, NOT_SENT)
    : withForm(state, openResendForm(delivery.event_id, delivery.event, delivery.url))
}

/** Edits the body of the newest attempt, either of the selected delivery or of the newest delivery of the selected object. */
function editBody(state: State): Update {
  const delivery = state.detail?.deliveries.find(({ attempts }) => attempts.length > 0)
  if (delivery === undefined) return [withWarning(state, NOT_SENT), []]
  const { event_id, event, endpoint_id, url, attempts } = delivery
  const body = attempts.at(-1)?.request.body
  if (body === undefined || body === null || body === '')
    return [withWarning(state, 'The body of this webhook is not text, or it is no longer kept.'), []]
  return [state, [{ do: 'edit_body', event_id, event, endpoint_id: endpoint_id ?? undefined, url, body }]]
}

const NOT_SENT = 'This row has no webhook that was sent. Press 3 to show the webhooks.'

function verifySignature(state: State): Update {
  const delivery = state.detail?.deliveries.find(({ attempts }) => attempts.length > 0)
  if (delivery === undefined)
    return [withWarning(state, 'No attempt of this row was sent, so there is no signature.'), []]
  return [withPendingCall(state), [{ do: 'verify', delivery_id: delivery.id }]]
}

function toggleComparison(state: State): State {
  if (state.showsComparison) return { ...state, showsComparison: false, detailScroll: 0 }
  const hasTwo = state.detail?.deliveries.some(({ attempts }) => attempts.length > 1) === true
  if (!hasTwo) return withWarning(state, 'No delivery of this row has two attempts to compare.')
  return { ...state, showsComparison: true, focus: 'detail', detailScroll: 0, scrollToFailure: false }
}

function copy(state: State, what: string, text: string | undefined): Update {
  if (text === undefined) return [withWarning(state, `There is no request to copy as ${what}.`), []]
  return [state, [{ do: 'copy', text, what }]]
}
