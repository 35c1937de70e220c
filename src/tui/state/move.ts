// Moving through rows, or through the lines of the detail. At the newest row one follows what comes.
import { scrollLimit } from '../panes/detail.ts'
import { bodyHeight } from '../panes/geometry.ts'
import { chosenIndex, seenRows } from './seen-rows.ts'
import type { State } from './state.ts'

export type Move = 'up' | 'down' | 'first' | 'last' | 'page_up' | 'page_down'

export function move(state: State, by: Move): State {
  return state.focus === 'detail' ? scroll(state, by) : step(state, by)
}

function step(state: State, by: Move): State {
  const rows = seenRows(state, state.pane)
  const last = Math.max(0, rows.length - 1)
  const at = Math.min(last, Math.max(0, target(by, chosenIndex(state), last, pageOf(state))))
  const { pane, gazes } = state
  // In another order than by age the first row is a row like any other.
  const chosen = at === 0 ? undefined : rows[at]?.id
  return { ...state, scroll: 0, gazes: { ...gazes, [pane]: { ...gazes[pane], chosen } } }
}

function scroll(state: State, by: Move): State {
  const last = scrollLimit(state)
  return {
    ...state,
    scroll: Math.min(last, Math.max(0, target(by, Math.min(last, state.scroll), last, pageOf(state)))),
  }
}

function target(by: Move, at: number, last: number, page: number): number {
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

/** The frame takes two lines, and a list's titles one more. */
function pageOf({ size, focus }: State): number {
  return Math.max(1, bodyHeight(size) - (focus === 'list' ? 3 : 2))
}
