// Handles the mouse: the wheel moves, a click selects a row or a pane, and a click on the selected row opens it.
import { selectedIndex, visibleRows } from '../../view-model/rows/visible-rows.ts'
import { tabAt } from '../panes/body.ts'
import { contentHeight, firstVisibleIndex, headerHeight, isSplit, splitWidths } from '../panes/layout.ts'
import { switchPane } from '../state/changes.ts'
import type { State, Update } from '../state/state.ts'
import { toggleLine } from './fold.ts'
import type { MouseInput } from './input-parser.ts'
import { scrollDetailTo, selectIndex } from './move.ts'

/** Rows or lines per step of the wheel. */
const WHEEL_STEP = 3

export function pressMouse(
  state: State,
  { mouse, column, row }: MouseInput,
  press: (state: State, key: string) => Update,
): Update {
  const inDetail = isSplit(state.size) ? column >= splitWidths(state.size)[0] : state.focus === 'detail'
  if (state.overlay !== undefined) return [state, []]
  if (mouse !== 'press') {
    const by = mouse === 'wheel_down' ? WHEEL_STEP : -WHEEL_STEP
    if (inDetail) return [scrollDetailTo({ ...state, focus: 'detail' }, state.detailScroll + by), []]
    return [selectIndex({ ...state, focus: 'list' }, selectedIndex(state) + by), []]
  }
  const line = row - headerHeight(state.size)
  if (inDetail) return state.focus === 'list' ? press(state, 'enter') : [clickDetail(state, line - 1), []]
  if (line === 0) {
    const pane = tabAt(state, column)
    return [pane === undefined ? state : switchPane(state, pane), []]
  }
  return clickRow(state, line - 2, press)
}

function clickDetail(state: State, line: number): State {
  return line < 0 || line >= contentHeight(state.size) ? state : toggleLine(state, line)
}

function clickRow(state: State, line: number, press: (state: State, key: string) => Update): Update {
  const count = visibleRows(state, state.pane).length
  const height = contentHeight(state.size) - 1
  const selected = selectedIndex(state)
  const index = firstVisibleIndex(count, selected, height) + line
  if (line < 0 || line >= height || index >= count) return [state, []]
  const list: State = { ...state, focus: 'list' }
  return index === selected ? press(list, 'enter') : [selectIndex(list, index), []]
}
