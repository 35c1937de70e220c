// Moves the selection of a list, or scrolls the detail.
import { selectedIndex, visibleRows } from '../../view-model/rows/visible-rows.ts'
import { scrollLimit } from '../panes/detail.ts'
import { pageSize } from '../panes/layout.ts'
import type { State } from '../state/state.ts'

export type Move = 'up' | 'down' | 'first' | 'last' | 'page_up' | 'page_down'

export function move(state: State, by: Move): State {
  if (state.focus === 'detail')
    return scrollDetailTo(state, targetOf(by, state.detailScroll, scrollLimit(state), state))
  const last = visibleRows(state, state.pane).length - 1
  return selectIndex(state, targetOf(by, selectedIndex(state), last, state))
}

/** Selects the row at an index, or the nearest one. */
export function selectIndex(state: State, index: number): State {
  const rows = visibleRows(state, state.pane)
  const at = Math.min(Math.max(0, rows.length - 1), Math.max(0, index))
  const { pane, listViews } = state
  // In any sort order, no selection means the first row.
  const selectedId = at === 0 ? undefined : rows[at]?.id
  return { ...state, detailScroll: 0, listViews: { ...listViews, [pane]: { ...listViews[pane], selectedId } } }
}

export function scrollDetailTo(state: State, line: number): State {
  return { ...state, detailScroll: Math.min(scrollLimit(state), Math.max(0, line)) }
}

function targetOf(by: Move, from: number, last: number, state: State): number {
  const at = Math.min(last, from)
  switch (by) {
    case 'up':
      return at - 1
    case 'down':
      return at + 1
    case 'page_up':
      return at - pageSize(state)
    case 'page_down':
      return at + pageSize(state)
    case 'first':
      return 0
    case 'last':
      return last
  }
}
