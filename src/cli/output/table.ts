// Tables for people: aligned by what a terminal shows, also with Cyrillic and wide characters.
import { columnsOf, cut } from '../../terminal/cell-text.ts'
import { plainLine, shorten } from '../../terminal/plain-text.ts'
import type { Output } from './output.ts'

/** Less of the same. */
interface Shorter<Row> {
  readonly title?: string
  readonly cell?: (row: Row) => string
}

/** Columns stand in the order of their weight: where all is too wide, the last go first. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string | number | undefined | null
  readonly right?: true
  /** For a terminal that is too narrow: what commands still take. */
  readonly short?: Shorter<Row>
  /** For one that is too narrow even so. */
  readonly tight?: Shorter<Row>
  /** It may be cut to so many columns before another one is left out. */
  readonly least?: number
}

/**
 * Prints the rows, or `nothing` on stderr where there are none. Cells are stripped of control characters. Where stdout is no
 * terminal nothing is left out.
 * @param elsewhere where columns are to be seen that have no room
 */
export async function printTable<Row>(
  out: Output,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nothing: string,
  elsewhere = 'or use --json',
): Promise<void> {
  if (rows.length === 0) {
    out.note(nothing)
    return
  }
  const { shown, hidden } = fitting(columns, rows, out.columns)
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    head: shown.map(({ title }) => out.paint.bold(title)),
    colAligns: shown.map(({ right }) => (right ? 'right' : 'left')),
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
  })
  for (const at of rows.keys()) table.push(shown.map(({ cells }) => cells[at] ?? ''))
  for (const line of table.toString().split('\n')) out.line(line.trimEnd())
  if (hidden.length > 0) {
    out.note(out.notePaint.dim(`Not shown for want of room: ${hidden.join(', ')}. Widen the terminal, ${elsewhere}.`))
  }
}

interface Drawn {
  readonly title: string
  readonly cells: readonly string[]
  readonly right: boolean
  readonly least: number
}

function fitting<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room = Number.POSITIVE_INFINITY) {
  const full = columns.map((column) => drawn(column, rows))
  if (widthOf(full) <= room) return { shown: full, hidden: [] }
  const telling = columns.filter((_, at) => full[at]?.cells.some((cell) => cell !== ''))
  const short = telling.map((column) => ({ ...column, ...column.short }))
  const tight = short.map((column) => ({ ...column, ...column.tight }))
  for (const form of [short, tight]) {
    const shown = squeezed(
      form.map((column) => drawn(column, rows)),
      room,
    )
    if (widthOf(shown) <= room) return { shown, hidden: [] }
  }
  let count = tight.length
  const some = () =>
    squeezed(
      tight.slice(0, count).map((column) => drawn(column, rows)),
      room,
    )
  while (count > FEWEST && widthOf(some()) > room) count--
  return { shown: some(), hidden: telling.slice(count).map(({ title }) => title) }
}

function drawn<Row>({ title, cell, right, least }: Column<Row>, rows: readonly Row[]): Drawn {
  const cells = rows.map((row) => shorten(plainLine(String(cell(row) ?? '')), LONGEST_CELL))
  return { title, cells, right: right === true, least: least ?? Number.POSITIVE_INFINITY }
}

/** Cuts what may be cut, the last first, as far as there is need. */
function squeezed(columns: readonly Drawn[], room: number): readonly Drawn[] {
  let over = widthOf(columns) - room
  return columns
    .toReversed()
    .map((column) => {
      const width = columnWidth(column)
      const spared = Math.min(over, width - Math.max(column.least, columnsOf(column.title)))
      if (spared <= 0) return column
      over -= spared
      return { ...column, cells: column.cells.map((cell) => cut(cell, width - spared)) }
    })
    .reverse()
}

function columnWidth({ title, cells }: Drawn): number {
  return cells.reduce((widest, cell) => Math.max(widest, columnsOf(cell)), columnsOf(title))
}

function widthOf(columns: readonly Drawn[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column) + GAP, -GAP)
}

const GAP = 2

/** Characters; texts of the program itself are shorter. A value is whole with --json, and where it is looked at alone. */
const LONGEST_CELL = 160

/** Columns that are shown however narrow the terminal is. */
const FEWEST = 2

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}
