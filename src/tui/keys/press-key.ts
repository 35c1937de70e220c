// Handles an input: an open overlay receives it, otherwise a key is looked up in the key table.
import { groupDigits } from '../../domain/count-text.ts'
import { rowAction } from '../../view-model/actions/act-on-row.ts'
import { actOnRows } from '../../view-model/actions/act-on-rows.ts'
import { isRowAction, type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { openAdvanceForm, openNewForm } from '../../view-model/forms/open-form.ts'
import { PANES, type PaneName } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedIndex, selectedRow, visibleRows } from '../../view-model/rows/visible-rows.ts'
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
import { isDetailCommand, runDetailCommand } from './detail-commands.ts'
import { findNext, seekFailure } from './find.ts'
import { foldAll, moveToNode, toggleCurrent } from './fold.ts'
import type { Input } from './input-parser.ts'
import { changesData, commandOf, type DetailCommand, issueText } from './key-table.ts'
import { move, selectIndex } from './move.ts'
import type { PaletteItem } from './palette.ts'
import { pressMouse } from './press-mouse.ts'
import { pressKeyInOverlay, typeIntoOverlay } from './press-overlay.ts'

export function pressInput(state: State, input: Input): Update {
  if (typeof input === 'string') return pressKey(state, input)
  if ('mouse' in input) return pressMouse(state, input, pressKey)
  if (input.typed) return pressCharacters(state, [...input.text])
  return [typeText(state, input.text), []]
}

/** After a character that opens an overlay, the rest is text, so that it never confirms a question. */
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

type CommandName = PaletteItem['command']

function runCommand(state: State, command: CommandName, key: string): Update {
  if (state.readOnly && changesData(command)) return [withWarning(state, READ_ONLY), []]
  if (isRowAction(command)) return actOnSelection(state, command)
  return isDetailCommand(command) ? runDetailCommand(state, command) : COMMANDS[command](state, key)
}

/** Each function gets the state and the key that was pressed. The palette presses no key. */
const COMMANDS: Readonly<
  Record<Exclude<CommandName, RowAction | DetailCommand>, (state: State, key: string) => Update>
> = {
  up: (state) => [move(state, 'up'), []],
  down: (state) => [move(state, 'down'), []],
  first: (state) => [move(state, 'first'), []],
  last: (state) => [move(state, 'last'), []],
  page_up: (state) => [move(state, 'page_up'), []],
  page_down: (state) => [move(state, 'page_down'), []],
  pane: (state, key) => [switchPane(state, PANES[Number(key) - 1] ?? state.pane), []],
  next_pane: (state) => [switchPane(state, adjacentPane(state.pane, 1)), []],
  previous_pane: (state) => [switchPane(state, adjacentPane(state.pane, -1)), []],
  enter: (state) => [state.focus === 'list' ? openDetail(state) : toggleCurrent(state), []],
  leave: (state) => (state.bulk?.stopping === false ? stopBulk(state, state.bulk) : [goBack(state), []]),
  copy_as: (state) => [
    selectedRow(state) === undefined ? withWarning(state, 'No row is selected.') : openPalette(state, 'copy '),
    [],
  ],
  mark: (state) => [markSelected(state), []],
  mark_all: (state) => [{ ...state, marks: state.marks.size > 0 ? NO_MARKS : idsOfVisible(state) }, []],
  new: (state) => [withForm(state, openNewForm(state.pane === 'payouts' ? 'payout' : 'payment')), []],
  advance: (state) => [withForm(state, openAdvanceForm()), []],
  freeze: (state) => [withPendingCall(state), [{ do: state.clock?.mode === 'frozen' ? 'resume' : 'freeze' }]],
  filter: (state) => [openSearch(state), []],
  sort: (state) => [selectNextOrder(state), []],
  attention: (state) => [toggleFailing(state), []],
  fold: (state) => [foldAll(state), []],
  next_node: (state) => [moveToNode(state, 1), []],
  previous_node: (state) => [moveToNode(state, -1), []],
  palette: (state) => [openPalette(state, ''), []],
  help: (state) => [{ ...state, overlay: { kind: 'help', scroll: 0 } }, []],
  mouse: (state) => [{ ...state, mouse: !state.mouse }, []],
  suspend: (state) => [state, [{ do: 'suspend' }]],
  quit: (state) => (state.bulk === undefined ? [state, [{ do: 'quit' }]] : [askToQuit(state, state.bulk), []]),
}

/** Performs the action on the marked rows, otherwise on the selected row. If it is not possible, shows why. */
function actOnSelection(state: State, action: RowAction): Update {
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

function selectNextOrder(state: State): State {
  const { sort } = state.listViews[state.pane]
  return updateListView(state, { sort: (sort + 1) % SORT_ORDERS[state.pane].length, selectedId: undefined })
}

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
 * Takes the first of these steps that is possible: stop waiting for a detail, end the search, close the comparison,
 * leave the detail, clear the marks, clear the filter, select the first row.
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
