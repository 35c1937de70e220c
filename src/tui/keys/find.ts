// Finds lines of the detail: lines that contain the searched text, and the last failed attempt.
import { isFailedAttempt } from '../panes/attempt-lines.ts'
import { detailLinesOf, scrollLimit } from '../panes/detail.ts'
import { type State, UNFOLDED } from '../state/state.ts'
import { lineText } from '../theme/styled-line.ts'

/**
 * Scrolls to the next or previous line that contains the searched text, and wraps around at the end. If no line
 * contains it, unfolds all JSON first.
 * @param isNew true if the text was just edited, so that the line at the scroll position counts too
 */
export function findNext(state: State, direction: 1 | -1, isNew = false): State {
  const wanted = state.find.toLowerCase()
  if (wanted === '') return state
  const shown = [state, { ...state, folding: UNFOLDED }].find((each) => linesWith(wanted, each).length > 0)
  if (shown === undefined) return state
  const found = linesWith(wanted, shown)
  const from = state.detailScroll + (isNew ? -1 : 0)
  const next =
    direction === 1
      ? (found.find((index) => index > from) ?? found[0])
      : (found.findLast((index) => index < from) ?? found.at(-1))
  return next === undefined ? state : { ...shown, detailScroll: next }
}

/** Returns the number of matching lines, and which of them, from 1, is at the scroll position; 0 if none is. */
export function findPosition(state: State): { readonly count: number; readonly current: number } {
  const found = linesWith(state.find.toLowerCase(), state)
  return { count: found.length, current: found.indexOf(state.detailScroll) + 1 }
}

function linesWith(wanted: string, state: State): readonly number[] {
  return detailLinesOf(state).flatMap((line, index) => (lineText(line).toLowerCase().includes(wanted) ? [index] : []))
}

/** Scrolls to the last failed attempt, if it is loaded. */
export function seekFailure(state: State): State {
  const line = detailLinesOf(state).findLastIndex(isFailedAttempt)
  if (line < 0) return state
  return { ...state, detailScroll: Math.min(scrollLimit(state), line), scrollToFailure: false }
}
