// Handles a key: an open overlay receives it, otherwise it is looked up in the key table. Most keys move the selection.

import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { ROW_ACTIONS, type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import type { Effect } from '../../view-model/effect.ts'
import { editForm, editText } from '../../view-model/forms/edit-form.ts'
import type { Form } from '../../view-model/forms/form.ts'
import { openAdvanceForm, openNewForm } from '../../view-model/forms/open-form.ts'
import { submitForm } from '../../view-model/forms/submit-form.ts'
import type { ListView } from '../../view-model/model.ts'
import { PANES, type PaneName } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedIndex, selectedRow, visibleRows } from '../../view-model/rows/visible-rows.ts'
import { scrollLimit } from '../panes/detail.ts'
import { helpScrollLimit } from '../panes/help.ts'
import { bodyHeight } from '../panes/layout.ts'
import type { Overlay, State } from '../state/state.ts'
import { type Command, commandOf } from './key-table.ts'

type Reduced = readonly [State, readonly Effect[]]

export function pressKey(state: State, key: string): Reduced {
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
      return [move(state, command as 'up'), []]
  }
}

/** Performs the action on the selected row: immediately, through a form or after a question. Or shows why it cannot. */
function actOnRow(state: State, action: RowAction): Reduced {
  const row = selectedRow(state)
  const reason = rowActionIssue(row, action, state.pane)
  if (reason !== undefined) return [withNotice(state, reason), []]
  const result = row === undefined ? undefined : rowAction(row, action)
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

function pressKeyInOverlay(state: State, overlay: Overlay, key: string): Reduced {
  const closed: State = { ...state, overlay: undefined }
  switch (overlay.kind) {
    case 'help': {
      const by = { down: 1, j: 1, up: -1, k: -1, page_down: 8, page_up: -8 }[key]
      if (by === undefined) return [closed, []]
      const scroll = Math.min(helpScrollLimit(state), Math.max(0, overlay.scroll + by))
      return [{ ...state, overlay: { kind: 'help', scroll } }, []]
    }
    case 'confirm':
      if (key === 'y' || key === 'Y') return [withPendingCall(closed), [overlay.effect]]
      return key === 'n' || key === 'N' || key === 'escape' || key === 'enter' ? [closed, []] : [state, []]
    case 'filter': {
      if (key === 'escape') return [updateListView(closed, { filter: overlay.before }), []]
      if (key === 'enter') return [closed, []]
      const typed = editText(overlay, key)
      return [
        updateListView({ ...state, overlay: { ...overlay, ...typed } }, { filter: typed.text, selectedId: undefined }),
        [],
      ]
    }
    case 'form': {
      if (key === 'escape') return [closed, []]
      if (key !== 'enter') return [withForm(state, editForm(overlay.form, key)), []]
      if (overlay.form.blocked) return [state, []]
      const submitted = submitForm(overlay.form)
      if ('effect' in submitted) return [withPendingCall(closed), [submitted.effect]]
      return [withForm(state, { ...overlay.form, problem: submitted.problem }), []]
    }
  }
}

function withForm(state: State, form: Form): State {
  return { ...state, overlay: { kind: 'form', form } }
}

function withPendingCall(state: State): State {
  return { ...state, pendingCalls: state.pendingCalls + 1 }
}

function withNotice(state: State, text: string): State {
  return { ...state, notice: { text, style: 'warning', until: state.now + 4000 } }
}

function updateListView(state: State, change: Partial<ListView>): State {
  const { pane, listViews } = state
  return { ...state, listViews: { ...listViews, [pane]: { ...listViews[pane], ...change } } }
}

function switchPane(state: State, pane: PaneName): State {
  return pane === state.pane ? state : { ...state, pane, focus: 'list', detailScroll: 0 }
}

function adjacentPane(pane: PaneName, by: number): PaneName {
  return PANES[(PANES.indexOf(pane) + by + PANES.length) % PANES.length] ?? pane
}

type Move = 'up' | 'down' | 'first' | 'last' | 'page_up' | 'page_down'

function move(state: State, by: Move): State {
  return state.focus === 'detail' ? scrollDetail(state, by) : moveSelection(state, by)
}

function moveSelection(state: State, by: Move): State {
  const rows = visibleRows(state, state.pane)
  const last = Math.max(0, rows.length - 1)
  const at = Math.min(last, Math.max(0, targetIndex(by, selectedIndex(state), last, pageSize(state))))
  const { pane, listViews } = state
  // In any sort order, no selection means the first row.
  const selectedId = at === 0 ? undefined : rows[at]?.id
  return { ...state, detailScroll: 0, listViews: { ...listViews, [pane]: { ...listViews[pane], selectedId } } }
}

function scrollDetail(state: State, by: Move): State {
  const last = scrollLimit(state)
  return {
    ...state,
    detailScroll: Math.min(
      last,
      Math.max(0, targetIndex(by, Math.min(last, state.detailScroll), last, pageSize(state))),
    ),
  }
}

function targetIndex(by: Move, at: number, last: number, page: number): number {
  switch (by) {
    case 'up':
      return at - 1
    case 'down':
      return at + 1
    case 'page_up':
      return at - page
    case 'page_down':
      return at + page
    case 'first':
      return 0
    case 'last':
      return last
  }
}

/** Rows of a page: the body without the two lines of the frame, and without the titles of a list. */
function pageSize({ size, focus }: State): number {
  return Math.max(1, bodyHeight(size) - (focus === 'list' ? 3 : 2))
}
