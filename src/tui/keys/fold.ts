// Folds and unfolds the JSON of the detail: all of it, or the object or list of a line.
import { detailLinesOf, scrollLimit } from '../panes/detail.ts'
import { contentHeight } from '../panes/layout.ts'
import { type State, UNFOLDED } from '../state/state.ts'
import { nodeOf } from '../theme/styled-line.ts'

export function foldAll(state: State): State {
  return { ...state, folding: { ...UNFOLDED, all: !state.folding.all }, detailScroll: 0 }
}

/** Moves to the next or previous line that can be folded, from the current value or from the edge of the screen. */
export function moveToNode(state: State, direction: 1 | -1): State {
  if (state.focus !== 'detail') return state
  const { first, end, current, nodes } = nodesOf(state)
  const from = current?.line ?? (direction === 1 ? first - 1 : end)
  const next = direction === 1 ? nodes.find(({ line }) => line > from) : nodes.findLast(({ line }) => line < from)
  if (next === undefined) return state
  const isShown = next.line >= first && next.line < end
  const scroll = isShown ? first : Math.min(scrollLimit(state), Math.max(0, next.line - Math.floor((end - first) / 3)))
  return { ...state, detailScroll: scroll, folding: { ...state.folding, current: next.node } }
}

/** Folds or unfolds the current value if it is on the screen, otherwise the first one on the screen. */
export function toggleCurrent(state: State): State {
  const { first, end, current, nodes } = nodesOf(state)
  const node = current ?? nodes.find(({ line }) => line >= first && line < end)
  return node === undefined ? state : toggleNode(state, node.node)
}

/** @param index the index of a line on the screen */
export function toggleLine(state: State, index: number): State {
  const node = nodeOf(detailLinesOf(state)[Math.min(state.detailScroll, scrollLimit(state)) + index] ?? [])
  return node === undefined ? state : toggleNode(state, node)
}

function toggleNode(state: State, node: string): State {
  const toggled = new Set(state.folding.toggled)
  if (!toggled.delete(node)) toggled.add(node)
  return { ...state, folding: { ...state.folding, toggled, current: node } }
}

/** `nodes` are the lines that can be folded. The lines from `first` to before `end` are on the screen. */
function nodesOf(state: State) {
  const first = Math.min(state.detailScroll, scrollLimit(state))
  const end = first + contentHeight(state.size)
  const nodes = detailLinesOf(state).flatMap((spans, line) => {
    const node = nodeOf(spans)
    return node === undefined ? [] : [{ line, node }]
  })
  const current = nodes.find(({ node, line }) => node === state.folding.current && line >= first && line < end)
  return { first, end, nodes, current }
}
