// Handles an input: an open overlay receives it, otherwise a key is looked up in the key table.
import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { ROW_ACTIONS, type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { openAdvanceForm, openNewForm } from '../../view-model/forms/open-form.ts'
import { PANES, type PaneName } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedRow } from '../../view-model/rows/visible-rows.ts'
import { switchPane, updateListView, withForm, withPendingCall, withWarning } from '../state/changes.ts'
import type { Reduced, State } from '../state/state.ts'
import type { Input } from './input-parser.ts'
import { type Command, commandOf } from './key-table.ts'
import { type Move, move } from './move.ts'
import { pressKeyInOverlay, typeIntoOverlay } from './press-overlay.ts'

export function pressInput(state: State, input: Input): Reduced {
  if (typeof input === 'string') return pressKey(state, input)
  if ('mouse' in input) return [state, []]
  const { overlay } = state
  const typed = overlay === undefined ? undefined : typeIntoOverlay(state, overlay, input.text)
  return [typed ?? withWarning(state, PASTED), []]
}

const PASTED = 'Several characters at once have no effect here. Press / first to filter by a pasted text.'

function pressKey(state: State, key: string): Reduced {
  if (key === 'ctrl+c') return [state, [{ do: 'quit' }]]
  if (state.overlay !== undefined) return pressKeyInOverlay(state, state.overlay, key)
  const command = commandOf(key)
  return command === undefined ? [state, []] : runCommand(state, command, key)
}

function runCommand(state: State, command: Command, key: string): Reduced {
  if (ROW_ACTIONS.includes(command as RowAction)) return actOnRow(state, command as RowAction)
  switch (command) {
    case 'new':
      return [withForm(state, openNewForm(state.pane === 'payouts' ? 'payout' : 'payment')), []]
    case 'advance':
      return [withForm(state, openAdvanceForm()), []]
    case 'freeze':
      return [withPendingCall(state), [{ do: state.clock?.mode === 'frozen' ? 'resume' : 'freeze' }]]
    case 'filter': {
      const text = state.listViews[state.pane].filter
      return [
        { ...state, focus: 'list', overlay: { kind: 'filter', text, cursor: [...text].length, before: text } },
        [],
      ]
    }
    case 'sort': {
      const { sort } = state.listViews[state.pane]
      return [updateListView(state, { sort: (sort + 1) % SORT_ORDERS[state.pane].length, selectedId: undefined }), []]
    }
    case 'help':
      return [{ ...state, overlay: { kind: 'help', scroll: 0 } }, []]
    case 'quit':
      return [state, [{ do: 'quit' }]]
    case 'pane':
      return [switchPane(state, PANES[Number(key) - 1] ?? state.pane), []]
    case 'next_pane':
      return [switchPane(state, adjacentPane(state.pane, 1)), []]
    case 'previous_pane':
      return [switchPane(state, adjacentPane(state.pane, -1)), []]
    case 'enter':
      return [state.focus === 'list' ? openDetail(state) : state, []]
    case 'leave':
      return [goBack(state), []]
    default:
      return [move(state, command as Move), []]
  }
}

/** Performs the action on the selected row: immediately, through a form or after a question. Or shows why it cannot. */
function actOnRow(state: State, action: RowAction): Reduced {
  const row = selectedRow(state)
  const reason = rowActionIssue(row, action, state.pane)
  if (reason !== undefined) return [withWarning(state, reason), []]
  const result = row === undefined ? undefined : rowAction(row, action, state.tables)
  if (result === undefined) return [state, []]
  if ('kind' in result) return [{ ...state, overlay: result }, []]
  return [result.do === 'copy' ? state : withPendingCall(state), [result]]
}

/** Selects the row explicitly, so that new rows do not replace the detail while it is read. */
function openDetail(state: State): State {
  const selectedId = selectedRow(state)?.id
  return selectedId === undefined
    ? state
    : { ...updateListView(state, { selectedId }), focus: 'detail', detailScroll: 0 }
}

/** Leaves the detail, then clears the filter, then follows the newest row, one step per key. */
function goBack(state: State): State {
  if (state.focus === 'detail') return { ...state, focus: 'list', detailScroll: 0 }
  const { filter, selectedId } = state.listViews[state.pane]
  if (filter !== '') return updateListView(state, { filter: '' })
  return selectedId === undefined ? state : updateListView(state, { selectedId: undefined })
}

function adjacentPane(pane: PaneName, by: number): PaneName {
  return PANES[(PANES.indexOf(pane) + by + PANES.length) % PANES.length] ?? pane
}
