// Moves the selection through the rows, or scrolls the detail. At the first row the view follows new rows.
import { scrollLimit } from '../panes/detail.ts'
import { bodyHeight } from '../panes/layout.ts'
import type { State } from './state.ts'
import { selectedIndex, visibleRows } from './visible-rows.ts'

export type Move = 'up' | 'down' | 'first' | 'last' | 'page_up' | 'page_down'

export function move(state: State, by: Move): State {
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
