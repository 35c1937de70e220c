// Handles an input: an open overlay receives it, otherwise a key is looked up in the key table.
import { ROW_ACTIONS, type RowAction } from '../../view-model/actions/available-actions.ts'
import { openAdvanceForm, openNewForm } from '../../view-model/forms/open-form.ts'
import { PANES, type PaneName } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedRow } from '../../view-model/rows/visible-rows.ts'
import { isFailing, webhookHealth } from '../../view-model/rows/webhook-health.ts'
import {
  askToQuit,
  CLOSED_DETAIL,
  switchPane,
  updateListView,
  withForm,
  withPendingCall,
  withWarning,
} from '../state/changes.ts'
import { type Bulk, NO_MARKS, type State, type Update } from '../state/state.ts'
import { findNext, seekFailure } from './find.ts'
import { toggleCurrent } from './fold.ts'
import type { Input } from './input-parser.ts'
import { type Command, changesData, commandOf } from './key-table.ts'
import { move } from './move.ts'
import type { PaletteItem } from './palette.ts'
import { pressMouse } from './press-mouse.ts'
import { pressKeyInOverlay, typeIntoOverlay } from './press-overlay.ts'
import { actOnSelection, runRowCommand } from './row-commands.ts'

export function pressInput(state: State, input: Input): Update {
  if (typeof input === 'string') return pressKey(state, input)
  if ('mouse' in input) return pressMouse(state, input, (next, key) => pressKey(next, key))
  if (input.typed) return pressCharacters(state, [...input.text])
  return [typeText(state, input.text), []]
}

/** Presses each character. After a character that opens an overlay, the rest is text, so that it never confirms a question. */
function pressCharacters(state: State, [first, ...rest]: readonly string[]): Update {
  if (first === undefined) return [state, []]
  if (state.overlay !== undefined) return [typeText(state, [first, ...rest].join('')), []]
  const [next, effects] = pressKey(state, first)
  const [last, more] = pressCharacters(next, rest)
  return [last, [...effects, ...more]]
}

function typeText(state: State, text: string): State {
  const { overlay } = state
  return (overlay && typeIntoOverlay(state, overlay, text)) ?? withWarning(state, PASTED)
}

const PASTED = 'Pasted text has no effect here. Press / first to filter by it.'

function pressKey(state: State, key: string): Update {
  if (key === 'ctrl+c') return [state, [{ do: 'quit' }]]
  if (key === 'ctrl+z') return [state, [{ do: 'suspend' }]]
  if (state.overlay !== undefined) return pressKeyInOverlay(state, state.overlay, key, runCommand)
  if (state.focus === 'detail' && state.find !== '' && (key === 'n' || key === 'N')) {
    return [findNext(state, key === 'n' ? 1 : -1), []]
  }
  const command = commandOf(key)
  return command === undefined ? [state, []] : runCommand(state, command, key)
}

function runCommand(state: State, command: Command | PaletteItem['command'], key: string): Update {
  if (state.readOnly && changesData(command)) return [withWarning(state, READ_ONLY), []]
  if (ROW_ACTIONS.includes(command as RowAction)) return actOnSelection(state, command as RowAction)
  switch (command) {
    case 'new':
      return [withForm(state, openNewForm(state.pane === 'payouts' ? 'payout' : 'payment')), []]
    case 'advance':
      return [withForm(state, openAdvanceForm()), []]
    case 'freeze':
      return [withPendingCall(state), [{ do: state.clock?.mode === 'frozen' ? 'resume' : 'freeze' }]]
    case 'filter':
      return [openSearch(state), []]
    case 'sort': {
      const { sort } = state.listViews[state.pane]
      return [updateListView(state, { sort: (sort + 1) % SORT_ORDERS[state.pane].length, selectedId: undefined }), []]
    }
    case 'help':
      return [{ ...state, overlay: { kind: 'help', scroll: 0 } }, []]
    case 'palette':
      return [openPalette(state, ''), []]
    case 'copy_as':
      return selectedRow(state) === undefined
        ? [withWarning(state, 'No row is selected.'), []]
        : [openPalette(state, 'copy '), []]
    case 'suspend':
      return [state, [{ do: 'suspend' }]]
    case 'quit':
      return state.bulk === undefined ? [state, [{ do: 'quit' }]] : [askToQuit(state, state.bulk), []]
    case 'pane':
      return [switchPane(state, PANES[Number(key) - 1] ?? state.pane), []]
    case 'next_pane':
      return [switchPane(state, adjacentPane(state.pane, 1)), []]
    case 'previous_pane':
      return [switchPane(state, adjacentPane(state.pane, -1)), []]
    case 'attention':
      return [toggleFailing(state), []]
    case 'enter':
      return [state.focus === 'list' ? openDetail(state) : toggleCurrent(state), []]
    case 'leave':
      return state.bulk?.stopping === false ? stopBulk(state, state.bulk) : [goBack(state), []]
    case 'up':
    case 'down':
    case 'first':
    case 'last':
    case 'page_up':
    case 'page_down':
      return [move(state, command), []]
    default:
      return runRowCommand(state, command)
  }
}

/** Shows only the deliveries that fail, or all of them again. */
function toggleFailing(state: State): State {
  const isShown = state.pane === 'deliveries' && state.listViews.deliveries.filter === FAILING
  return updateListView(switchPane(state, 'deliveries'), { filter: isShown ? '' : FAILING, selectedId: undefined })
}

const FAILING = 'failing=yes'

function openSearch(state: State): State {
  if (state.focus === 'detail') return { ...state, overlay: { kind: 'find', text: '', cursor: 0 } }
  const text = state.listViews[state.pane].filter
  return { ...state, overlay: { kind: 'filter', text, cursor: [...text].length, before: text } }
}

function openPalette(state: State, text: string): State {
  return { ...state, overlay: { kind: 'palette', text, cursor: text.length, selected: 0, readOnly: state.readOnly } }
}

/** Selects the row explicitly, so that new rows do not replace the detail while it is read. */
function openDetail(state: State): State {
  const row = selectedRow(state)
  if (row === undefined) return state
  const selected: State = { ...updateListView(state, { selectedId: row.id }), focus: 'detail', detailScroll: 0 }
  const delivery = 'event_id' in row ? row : webhookHealth(state.tables).byObject.get(row.id)
  if (delivery === undefined || !isFailing(delivery)) return selected
  return seekFailure({ ...selected, scrollToFailure: true })
}

const READ_ONLY =
  'This view is read only, because it uses the view token. Start psp ui with --control-token to make changes.'

function stopBulk(state: State, bulk: Bulk): Update {
  return [{ ...state, bulk: { ...bulk, stopping: true } }, [{ do: 'stop_bulk' }]]
}

/**
 * Takes the first of these steps that is possible: stops waiting for a detail, ends the search, closes the comparison, leaves
 * the detail, clears the marks, clears the filter, and selects the first row.
 */
function goBack(state: State): State {
  if (state.waiting !== undefined) return { ...state, waiting: undefined }
  if (state.find !== '') return { ...state, find: '' }
  if (state.showsComparison) return { ...state, showsComparison: false, detailScroll: 0 }
  if (state.focus === 'detail') return { ...state, ...CLOSED_DETAIL }
  if (state.marks.size > 0) return { ...state, marks: NO_MARKS }
  const { filter, selectedId } = state.listViews[state.pane]
  if (filter !== '') return updateListView(state, { filter: '' })
  return selectedId === undefined ? state : updateListView(state, { selectedId: undefined })
}

function adjacentPane(pane: PaneName, by: number): PaneName {
  return PANES[(PANES.indexOf(pane) + by + PANES.length) % PANES.length] ?? pane
}
