// The commands on the selected row, on the marked rows and on the detail, and the mouse switch.
import { groupDigits } from '../../domain/count-text.ts'
import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { actOnRows } from '../../view-model/actions/act-on-rows.ts'
import { type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { selectedIndex, selectedRow, visibleRows } from '../../view-model/rows/visible-rows.ts'
import { withPendingCall, withWarning } from '../state/changes.ts'
import { type Bulk, NO_MARKS, type State, type Update } from '../state/state.ts'
import { isDetailCommand, runDetailCommand } from './detail-commands.ts'
import { foldAll, moveToNode } from './fold.ts'
import { issueText } from './issue-text.ts'
import type { Command } from './key-table.ts'
import { selectIndex } from './move.ts'
import type { PaletteItem } from './palette.ts'

/** Performs the action on the marked rows, or else on the selected row. If the action is not possible, shows why. */
export function actOnSelection(state: State, action: RowAction): Update {
  const { marks, pane, tables } = state
  if (marks.size > 0 && action !== 'copy' && action !== 'page') {
    if (state.bulk !== undefined) return [withWarning(state, busyText(state.bulk)), []]
    const rows = visibleRows(state, pane).filter(({ id }) => marks.has(id))
    const result = actOnRows(rows, action, pane, tables)
    return 'problem' in result
      ? [withWarning(state, issueText(result.problem)), []]
      : [{ ...state, overlay: result }, []]
  }
  const row = selectedRow(state)
  const reason = rowActionIssue(row, action, pane)
  if (reason !== undefined) return [withWarning(state, issueText(reason)), []]
  const result = row === undefined ? undefined : rowAction(row, action, tables)
  if (result === undefined) return [state, []]
  if ('kind' in result) return [{ ...state, overlay: result }, []]
  return [result.do === 'copy' ? state : withPendingCall(state), [result]]
}

function busyText({ total }: Bulk): string {
  return `An action on ${groupDigits(total)} rows is running. Press Esc to stop it, or wait until it is done.`
}

export function runRowCommand(state: State, command: Command | PaletteItem['command']): Update {
  if (isDetailCommand(command)) return runDetailCommand(state, command)
  switch (command) {
    case 'mark':
      return [markSelected(state), []]
    case 'mark_all':
      return [{ ...state, marks: state.marks.size > 0 ? NO_MARKS : idsOfVisible(state) }, []]
    case 'fold':
      return [foldAll(state), []]
    case 'next_node':
      return [moveToNode(state, 1), []]
    case 'previous_node':
      return [moveToNode(state, -1), []]
    case 'mouse':
      return [{ ...state, mouse: !state.mouse }, []]
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
