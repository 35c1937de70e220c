// Renders the detail of the selected row: all its data, as lines.

import { findBank } from '../../domain/bank.ts'
import { describeRow } from '../../view-model/detail/describe-row.ts'
import { type Detail, isHistoryLoading } from '../../view-model/model.ts'
import type { Row } from '../../view-model/rows/rows.ts'
import { selectedRow } from '../../view-model/rows/visible-rows.ts'
import type { State } from '../state/state.ts'
import { renderLine, type StyledLines } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { type Symbols, UNICODE_SYMBOLS } from '../theme/theme.ts'
import { detailLines } from './detail-lines.ts'
import { contentHeight, contentWidth, isSplit, splitWidths } from './layout.ts'

/** Returns `height` lines of `width` columns, from the scroll position on. */
export function renderDetail(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const lines = linesOf(state, width, theme.symbols)
  const first = Math.min(state.detailScroll, Math.max(0, lines.length - height))
  const blank = ' '.repeat(width)
  return Array.from({ length: height }, (_, index) => {
    const spans = lines[first + index]
    return spans === undefined ? blank : renderLine(spans, width, theme)
  })
}

/** Returns the last scroll position. */
export function scrollLimit(state: State): number {
  const { size } = state
  const width = contentWidth(size, isSplit(size) ? splitWidths(size)[1] : size.columns)
  return Math.max(0, linesOf(state, width, UNICODE_SYMBOLS).length - contentHeight(size))
}

interface CachedLines {
  readonly row: Row
  readonly width: number
  readonly symbols: Symbols
  readonly historyLoading: boolean
  readonly lines: StyledLines
}

/** The last lines for each detail, because bodies can be long and are drawn in every frame. */
const cache = new WeakMap<Detail, CachedLines>()

function linesOf(state: State, width: number, symbols: Symbols): StyledLines {
  const row = selectedRow(state)
  const { detail: loaded } = state
  if (row === undefined || loaded === undefined) return [[['No row is selected.', 'dim']]]
  const cached = cache.get(loaded)
  const historyLoading = isHistoryLoading(state)
  if (
    cached?.row === row &&
    cached.width === width &&
    cached.symbols === symbols &&
    cached.historyLoading === historyLoading
  )
    return cached.lines
  const lines = detailLines(describeRow(row, loaded, { bankName, historyLoading }), width, symbols)
  cache.set(loaded, { row, width, symbols, historyLoading, lines })
  return lines
}

function bankName(memberId: string): string | undefined {
  return findBank(memberId)?.name
}
