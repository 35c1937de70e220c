// The detail of the chosen row: everything there is to know about it, as lines.

import type { Row } from '../state/rows.ts'
import type { Detail, State } from '../state/state.ts'
import { selectedRow } from '../state/visible-rows.ts'
import { renderLine, type StyledLines } from '../theme/styled-line.ts'
import { type Symbols, UNICODE_SYMBOLS } from '../theme/symbols.ts'
import type { Theme } from '../theme/theme.ts'
import { jsonLines } from './field-lines.ts'
import { bodyHeight, isSplit, splitWidths } from './layout.ts'
import { paymentLines } from './payment-lines.ts'
import { payoutLines } from './payout-lines.ts'
import { requestLines } from './request-lines.ts'
import { formatDateTime } from './time-format.ts'
import { deliveryLines } from './webhook-lines.ts'

/** `height` lines of `width` columns, from the state's scroll on. */
export function renderDetail(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const lines = detailLines(state, width, theme.symbols)
  const first = Math.min(state.detailScroll, Math.max(0, lines.length - height))
  const blank = ' '.repeat(width)
  return Array.from({ length: height }, (_, index) => {
    const parts = lines[first + index]
    return parts === undefined ? blank : renderLine(parts, width, theme)
  })
}

/** The farthest one can scroll. */
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

/** Bodies may be long, and frames are many. */
const cache = new WeakMap<Detail, CachedLines>()

function detailLines(state: State, width: number, symbols: Symbols): StyledLines {
  const row = selectedRow(state)
  const { detail: found } = state
  if (row === undefined || found === undefined) return [[['Nothing is chosen.', 'dim']]]
  const before = cache.get(found)
  if (before?.row === row && before.width === width && before.symbols === symbols) return before.lines
  const lines = buildLines(row, found, width, symbols)
  cache.set(found, { row, width, symbols, lines })
  return lines
}

function buildLines(row: Row, found: Detail, width: number, symbols: Symbols): StyledLines {
  const problem: StyledLines = found.problem === undefined ? [] : [[[found.problem, 'failure']], []]
  return [...problem, ...rowLines(row, found, width, symbols)]
}

function rowLines(row: Row, found: Detail, width: number, symbols: Symbols): StyledLines {
  if ('payment' in row) return paymentLines(row, found, width, symbols)
  if ('payout' in row) return payoutLines(row, found, width, symbols)
  if ('request' in row) return requestLines(row.request, found, width)
  if ('data' in row) return [[[row.kind, 'accent'], `  ${formatDateTime(row.at)}`], [], ...jsonLines(row.data, width)]
  return deliveryLines(row, found, width, symbols)
}
