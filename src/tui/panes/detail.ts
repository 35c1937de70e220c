// The detail of the chosen row: everything there is to know about it, as lines.

import { type Lines, line } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import { type Marks, UNICODE } from '../looks/marks.ts'
import type { Row } from '../state/rows.ts'
import { chosenRow } from '../state/seen-rows.ts'
import type { Detail, State } from '../state/state.ts'
import { dateTime } from './clock-face.ts'
import { deliveryLines } from './delivery-lines.ts'
import { jsonLines } from './field-lines.ts'
import { bodyHeight, isWide, split } from './geometry.ts'
import { paymentLines } from './payment-lines.ts'
import { payoutLines } from './payout-lines.ts'
import { requestLines } from './request-lines.ts'

/** `height` lines of `width` columns, from the state's scroll on. */
export function detail(state: State, width: number, height: number, looks: Looks): readonly string[] {
  const lines = detailLines(state, width, looks.marks)
  const first = Math.min(state.scroll, Math.max(0, lines.length - height))
  const blank = ' '.repeat(width)
  return Array.from({ length: height }, (_, index) => {
    const parts = lines[first + index]
    return parts === undefined ? blank : line(parts, width, looks)
  })
}

/** The farthest one can scroll. */
export function scrollLimit(state: State): number {
  const width = (isWide(state.size) ? split(state.size)[1] : state.size.columns) - 4
  return Math.max(0, detailLines(state, width, UNICODE).length - (bodyHeight(state.size) - 2))
}

interface Kept {
  readonly row: Row
  readonly width: number
  readonly marks: Marks
  readonly lines: Lines
}

/** Bodies may be long, and frames are many. */
const kept = new WeakMap<Detail, Kept>()

function detailLines(state: State, width: number, marks: Marks): Lines {
  const row = chosenRow(state)
  const { detail: found } = state
  if (row === undefined || found === undefined) return [[['Nothing is chosen.', 'dim']]]
  const before = kept.get(found)
  if (before?.row === row && before.width === width && before.marks === marks) return before.lines
  const lines = linesOf(row, found, width, marks)
  kept.set(found, { row, width, marks, lines })
  return lines
}

function linesOf(row: Row, found: Detail, width: number, marks: Marks): Lines {
  const problem: Lines = found.problem === undefined ? [] : [[[found.problem, 'bad']], []]
  return [...problem, ...ownLines(row, found, width, marks)]
}

function ownLines(row: Row, found: Detail, width: number, marks: Marks): Lines {
  if ('payment' in row) return paymentLines(row, found, width, marks)
  if ('payout' in row) return payoutLines(row, found, width, marks)
  if ('request' in row) return requestLines(row.request, found, width)
  if ('data' in row) return [[[row.kind, 'name'], `  ${dateTime(row.at)}`], [], ...jsonLines(row.data, width)]
  return deliveryLines(row, found, width, marks)
}
