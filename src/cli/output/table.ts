// Tables for people: aligned by what a terminal shows, also with Cyrillic and wide characters.
import { ASCII_METRICS, isPlainAscii, type TextMetrics } from '../../terminal/ascii-metrics.ts'
import { sanitizeLine, truncateChars } from '../../terminal/sanitize.ts'
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
  const { shown, hidden } =
    out.columns === undefined ? whole(columns, rows) : fitting(columns, rows, out.columns, await cellsOf(columns, rows))
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

interface Fitting {
  readonly shown: readonly Drawn[]
  /** Titles of what has no room. */
  readonly hidden: readonly string[]
}

function whole<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Fitting {
  return { shown: columns.map((column) => drawn(column, rows)), hidden: [] }
}

/** A library for other letters: it takes longer to load than most commands take. */
async function cellsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<TextMetrics> {
  const plain = columns.every((column) => drawn(column, rows).cells.every(isPlainAscii))
  return plain ? ASCII_METRICS : await import('../../terminal/text-width.ts')
}

function fitting<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
  cells: TextMetrics,
): Fitting {
  const width = (drawn: readonly Drawn[]) => widthOf(drawn, cells)
  const full = whole(columns, rows)
  if (width(full.shown) <= room) return full
  const telling = columns.filter((_, at) => full.shown[at]?.cells.some((cell) => cell !== ''))
  const short = telling.map((column) => ({ ...column, ...column.short }))
  const tight = short.map((column) => ({ ...column, ...column.tight }))
  const squeeze = (form: readonly Column<Row>[]) =>
    squeezed(
      form.map((column) => drawn(column, rows)),
      room,
      cells,
    )
  for (const form of [short, tight]) {
    const shown = squeeze(form)
    if (width(shown) <= room) return { shown, hidden: [] }
  }
  let count = tight.length
  while (count > FEWEST && width(squeeze(tight.slice(0, count))) > room) count--
  return { shown: squeeze(tight.slice(0, count)), hidden: telling.slice(count).map(({ title }) => title) }
}

function drawn<Row>({ title, cell, right, least }: Column<Row>, rows: readonly Row[]): Drawn {
  const cells = rows.map((row) => truncateChars(sanitizeLine(String(cell(row) ?? '')), LONGEST_CELL))
  return { title, cells, right: right === true, least: least ?? Number.POSITIVE_INFINITY }
}

/** Cuts what may be cut, the last first, as far as there is need. */
function squeezed(columns: readonly Drawn[], room: number, cells: TextMetrics): readonly Drawn[] {
  let over = widthOf(columns, cells) - room
  return columns
    .toReversed()
    .map((column) => {
      const width = columnWidth(column, cells)
      const spared = Math.min(over, width - Math.max(column.least, cells.displayWidth(column.title)))
      if (spared <= 0) return column
      over -= spared
      return { ...column, cells: column.cells.map((cell) => cells.truncate(cell, width - spared)) }
    })
    .reverse()
}

function columnWidth({ title, cells }: Drawn, { displayWidth }: TextMetrics): number {
  return cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), displayWidth(title))
}

function widthOf(columns: readonly Drawn[], cells: TextMetrics): number {
  return columns.reduce((sum, column) => sum + columnWidth(column, cells) + GAP, -GAP)
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
