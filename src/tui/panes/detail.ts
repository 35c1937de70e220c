// Renders the detail of the selected row.

import { findBank } from '../../domain/bank.ts'
import { compareAttempts } from '../../view-model/detail/compare-attempts.ts'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import { type Detail, isHistoryLoading } from '../../view-model/model.ts'
import { selectedRow } from '../../view-model/rows/visible-rows.ts'
import type { State } from '../state/state.ts'
import { highlight, markNode, renderLine, type StyledLines } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { type Symbols, UNICODE_SYMBOLS } from '../theme/theme.ts'
import { detailLines } from './detail-lines.ts'
import { contentHeight, contentWidth, isSplit, splitWidths } from './layout.ts'

/** Returns `height` lines of `width` columns, from the scroll position on. */
export function renderDetail(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const lines = linesOf(state, width, theme.symbols)
  const first = Math.min(state.detailScroll, Math.max(0, lines.length - height))
  const blank = ' '.repeat(width)
  const wanted = state.find.toLowerCase()
  const current = state.focus === 'detail' ? state.folding.current : undefined
  return Array.from({ length: height }, (_, index) => {
    const spans = lines[first + index]
    return spans === undefined ? blank : renderLine(highlight(markNode(spans, current), wanted), width, theme)
  })
}

export function scrollLimit(state: State): number {
  return Math.max(0, detailLinesOf(state).length - contentHeight(state.size))
}

/** Returns all lines of the detail, as wide as it is on the screen. */
export function detailLinesOf(state: State): StyledLines {
  const { size } = state
  const width = contentWidth(size, isSplit(size) ? splitWidths(size)[1] : size.columns)
  return linesOf(state, width, UNICODE_SYMBOLS)
}

interface CachedLines {
  /** The values that the lines depend on. */
  readonly key: readonly unknown[]
  readonly lines: StyledLines
}

/** The last lines for each detail, because bodies can be long and are drawn in every frame. */
const cache = new WeakMap<Detail, CachedLines>()

function linesOf(state: State, width: number, symbols: Symbols): StyledLines {
  const row = selectedRow(state)
  const { detail: loaded, showsComparison, folding } = state
  if (row === undefined || loaded === undefined) return [[['No row is selected.', 'dim']]]
  const historyLoading = isHistoryLoading(state)
  const key = [row, width, symbols, historyLoading, showsComparison, folding.all, folding.toggled]
  const cached = cache.get(loaded)
  if (cached?.key.every((value, index) => value === key[index]) === true) return cached.lines
  const delivery = loaded.deliveries.find(({ attempts }) => attempts.length > 1)
  const view =
    (showsComparison && delivery !== undefined ? compareAttempts(delivery) : undefined) ??
    describeRow(row, loaded, { bankName, historyLoading })
  const lines = detailLines(view, { width, symbols, folding })
  cache.set(loaded, { key, lines })
  return lines
}

function bankName(memberId: string): string | undefined {
  return findBank(memberId)?.name
}
