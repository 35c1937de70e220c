// Renders the detail of the selected row: all its data, as lines.

import type { Detail, State } from '../../view-model/model.ts'
import type { Row } from '../../view-model/rows/rows.ts'
import { selectedRow } from '../../view-model/rows/visible-rows.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { renderLine, type StyledLines } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { type Symbols, UNICODE_SYMBOLS } from '../theme/theme.ts'
import { jsonLines } from './field-lines.ts'
import { bodyHeight, isSplit, splitWidths } from './layout.ts'
import { paymentLines, payoutLines } from './object-lines.ts'
import { requestLines } from './request-lines.ts'
import { deliveryLines } from './webhook-lines.ts'

/** Returns `height` lines of `width` columns, from the scroll position on. */
export function renderDetail(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const lines = detailLines(state, width, theme.symbols)
  const first = Math.min(state.detailScroll, Math.max(0, lines.length - height))
  const blank = ' '.repeat(width)
  return Array.from({ length: height }, (_, index) => {
    const spans = lines[first + index]
    return spans === undefined ? blank : renderLine(spans, width, theme)
  })
}

/** Returns the last scroll position. */
export function scrollLimit(state: State): number {
  const width = (isSplit(state.size) ? splitWidths(state.size)[1] : state.size.columns) - 4
  return Math.max(0, detailLines(state, width, UNICODE_SYMBOLS).length - (bodyHeight(state.size) - 2))
}

interface CachedLines {
  readonly row: Row
  readonly width: number
  readonly symbols: Symbols
  readonly lines: StyledLines
}

/** The last lines for each detail, because bodies can be long and are drawn in every frame. */
const cache = new WeakMap<Detail, CachedLines>()

function detailLines(state: State, width: number, symbols: Symbols): StyledLines {
  const row = selectedRow(state)
  const { detail: loaded } = state
  if (row === undefined || loaded === undefined) return [[['No row is selected.', 'dim']]]
  const cached = cache.get(loaded)
  if (cached?.row === row && cached.width === width && cached.symbols === symbols) return cached.lines
  const lines = buildLines(row, loaded, width, symbols)
  cache.set(loaded, { row, width, symbols, lines })
  return lines
}

function buildLines(row: Row, loaded: Detail, width: number, symbols: Symbols): StyledLines {
  const problem: StyledLines = loaded.problem === undefined ? [] : [[[loaded.problem, 'failure']], []]
  return [...problem, ...rowLines(row, loaded, width, symbols)]
}

function rowLines(row: Row, loaded: Detail, width: number, symbols: Symbols): StyledLines {
  if ('payment' in row) return paymentLines(row, loaded, width, symbols)
  if ('payout' in row) return payoutLines(row, loaded, width, symbols)
  if ('request' in row) return requestLines(row.request, loaded, width)
  if ('data' in row) return [[[row.kind, 'accent'], `  ${formatDateTime(row.at)}`], [], ...jsonLines(row.data, width)]
  return deliveryLines(row, loaded, width, symbols)
}
