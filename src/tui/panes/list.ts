// The list of a pane: its columns, and of its rows only those that fit.
import { displayWidth, pad } from '../../terminal/text-width.ts'
import { line, type Part } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import type { PaneName, Row } from '../state/rows.ts'
import { chosenIndex, seenRows } from '../state/seen-rows.ts'
import type { State } from '../state/state.ts'
import { virtualNow } from '../state/virtual-now.ts'
import { faceOf } from './clock-face.ts'
import { type At, COLUMNS, type Column, cellText } from './columns.ts'
import { firstShown } from './geometry.ts'

/** `height` lines of `width` columns, the titles first. */
export function list(state: State, width: number, height: number, looks: Looks): readonly string[] {
  const { pane } = state
  const rows = seenRows(state, pane)
  const room = height - 1
  const chosen = chosenIndex(state)
  const first = firstShown(rows.length, chosen, room)
  const seen = rows.slice(first, first + room)
  const own = COLUMNS[pane] as readonly Column<Row>[]
  const now = virtualNow(state)
  const at: At = { now, time: faceOf([now, ...instantsOf(own, seen)]), marks: looks.marks }
  const columns = fitting(own, width, seen, at)
  const lines = seen.map((row, index) => rowLine(row, first + index === chosen, columns, width, at, looks))
  const titles = columns.map((column): Part => [`${padded(column.title, column)}  `, 'dim'])
  const empty = rows.length === 0 ? ['', ...nothing(state).map((text) => `   ${text}`)] : []
  const body = [...lines, ...empty.map((text) => line([[text, 'dim']], width, looks))]
  const blank = ' '.repeat(width)
  return [line(['  ', ...titles], width, looks), ...Array.from({ length: room }, (_, index) => body[index] ?? blank)]
}

/** Days are told of times that are not of the day which the header shows. */
function instantsOf(columns: readonly Column<Row>[], rows: readonly Row[]): readonly (string | undefined)[] {
  const instant = columns.find((column) => column.instant !== undefined)?.instant
  return instant === undefined ? [] : rows.map(instant)
}

type Sized = Column<Row> & { readonly wide: number }

function fitting(columns: readonly Column<Row>[], width: number, rows: readonly Row[], at: At): readonly Sized[] {
  const shown = columns
    .filter(({ from }) => from === undefined || width >= from)
    .map((column) =>
      column.snug === true && rows.length > 0 ? { ...column, width: snugWidth(column, rows, at) } : column,
    )
    .filter(({ width: wide, snug }) => wide > 0 || snug !== true)
  const fixed = shown.reduce((sum, column) => sum + column.width + 2, 0)
  return shown.map((column) => ({
    ...column,
    wide: column.width === 0 ? Math.max(4, width - 2 - fixed) : column.width,
  }))
}

/** 0 where no row holds anything. */
function snugWidth(column: Column<Row>, rows: readonly Row[], at: At): number {
  const widest = Math.max(...rows.map((row) => displayWidth(cellText(column, row, at))))
  return widest === 0 ? 0 : Math.min(column.width, Math.max(displayWidth(column.title), widest))
}

function padded(text: string, { wide, right, shorten }: Sized): string {
  return pad(shorten === undefined ? text : shorten(text, wide), wide, right === true ? 'right' : 'left')
}

function rowLine(row: Row, chosen: boolean, columns: readonly Sized[], width: number, at: At, looks: Looks): string {
  const cells = columns.map((column): Part => {
    const text = `${padded(cellText(column, row, at), column)}  `
    // Reversed as one piece: colours inside it would be hard to read.
    return chosen || column.look === undefined ? text : [text, column.look(row)]
  })
  if (!chosen) return line(['  ', ...cells], width, looks)
  return looks.chosen(line([`${at.marks.pointer} `, ...cells], width, looks))
}

const NOTHING: Readonly<Record<PaneName, readonly string[]>> = {
  payments: ['No payments yet.', 'n makes one, and so does `psp payments create --amount 100`.'],
  payouts: ['No payouts yet.', 'n makes one.'],
  deliveries: [
    'No webhooks yet.',
    'They go out once a payment is final and the shop has an endpoint,',
    'or while `psp listen --forward URL` runs.',
  ],
  requests: ['No requests yet.', 'Every call of the public API appears here.'],
  stream: ['Nothing has happened yet.', 'Everything that does appears here.'],
}

function nothing({ pane, gazes, line: connection }: State): readonly string[] {
  const { filter } = gazes[pane]
  if (filter !== '') return [`Nothing holds “${filter}”.`, 'Esc shows everything again.']
  return connection.state === 'connecting' ? ['Reading…'] : NOTHING[pane]
}
