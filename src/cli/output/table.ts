// Prints lists as tables that fit the terminal, aligned by display width, even with wide characters.

import type { Page } from '../../client/control-types.ts'
import { formatDateTime } from '../../domain/time-text.ts'
import { ASCII_METRICS, isPlainAscii, type TextMetrics } from '../../terminal/ascii-metrics.ts'
import { sanitizeLine, stringifyForTerminal, truncateChars } from '../../terminal/sanitize.ts'
import type { Output } from './output.ts'

/** A shorter form of a column. */
interface ShortForm<Row> {
  readonly title?: string
  readonly cell?: (row: Row) => string
}

/** Callers list columns in order of importance: if a table is too wide, its last columns are omitted first. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string | number | undefined | null
  readonly right?: true
  /** For a narrow terminal. A shortened id is still a valid argument of commands. */
  readonly short?: ShortForm<Row>
  /** For a terminal that is too narrow for the short form. */
  readonly shortest?: ShortForm<Row>
  /** The width to which the column may be truncated before a column is omitted. */
  readonly minWidth?: number
  /** A typical long cell. It reserves room in a table whose rows are printed one at a time. */
  readonly usual?: string
}

/**
 * Prints the rows, or `emptyText` on stderr if there are none. If stdout is not a terminal, no column is omitted.
 * @param elsewhere how to see the omitted columns
 */
export async function printTable<Row>(
  out: Output,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  emptyText: string,
  elsewhere = 'or use --json',
): Promise<void> {
  if (rows.length === 0) {
    out.note(emptyText)
    return
  }
  const { shown, hidden } = await layOutTable(out, columns, rows)
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    head: shown.map(({ title }) => out.paint.bold(title)),
    colAligns: shown.map(({ right }) => (right ? 'right' : 'left')),
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
  })
  for (const at of rows.keys()) table.push(shown.map(({ cells }) => cells[at] ?? ''))
  for (const line of table.toString().split('\n')) out.line(line.trimEnd())
  noteHidden(out, hidden, elsewhere)
}

export function noteHidden(out: Output, hidden: readonly string[], elsewhere = 'or use --json'): void {
  if (hidden.length === 0) return
  out.note(out.notePaint.dim(`Columns that do not fit: ${hidden.join(', ')}. Widen the terminal, ${elsewhere}.`))
}

/** Returns the cells as text, and the columns that fit in the terminal. */
export async function layOutTable<Row>(
  { columns: room }: Pick<Output, 'columns'>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<FittedTable & { readonly metrics: TextMetrics }> {
  const metrics = await metricsOf(columns, rows)
  return { ...(room === undefined ? allColumns(columns, rows) : fitColumns(columns, rows, room, metrics)), metrics }
}

interface RenderedColumn {
  readonly title: string
  readonly cells: readonly string[]
  readonly right: boolean
  readonly minWidth: number
}

interface FittedTable {
  readonly shown: readonly RenderedColumn[]
  /** Titles of the omitted columns. */
  readonly hidden: readonly string[]
}

function allColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): FittedTable {
  return { shown: columns.map((column) => renderColumn(column, rows)), hidden: [] }
}

/** Loads `text-width.ts` only for text that is not ASCII, because its tables load slowly. */
async function metricsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<TextMetrics> {
  const plain = columns.every((column) => renderColumn(column, rows).cells.every(isPlainAscii))
  return plain ? ASCII_METRICS : await import('../../terminal/text-width.ts')
}

function fitColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  room: number,
  metrics: TextMetrics,
): FittedTable {
  const width = (rendered: readonly RenderedColumn[]) => widthOf(rendered, metrics)
  const full = allColumns(columns, rows)
  if (width(full.shown) <= room) return full
  const filledColumns = columns.filter((_, at) => full.shown[at]?.cells.some((cell) => cell !== ''))
  const short = filledColumns.map((column) => ({ ...column, ...column.short }))
  const shortest = short.map((column) => ({ ...column, ...column.shortest }))
  const shrink = (form: readonly Column<Row>[]) =>
    shrinkColumns(
      form.map((column) => renderColumn(column, rows)),
      room,
      metrics,
    )
  for (const form of [short, shortest]) {
    const shown = shrink(form)
    if (width(shown) <= room) return { shown, hidden: [] }
  }
  // If two columns are left, the second one is truncated before it is omitted. The first one is never omitted.
  const shown = (count: number) =>
    shrink(
      shortest.slice(0, count).map((column, at) => (count === 2 && at === 1 ? { ...column, minWidth: 1 } : column)),
    )
  let count = shortest.length
  while (count > 1 && width(shown(count)) > room) count--
  return { shown: shown(count), hidden: filledColumns.slice(count).map(({ title }) => title) }
}

function renderColumn<Row>({ title, cell, right, minWidth }: Column<Row>, rows: readonly Row[]): RenderedColumn {
  const cells = rows.map((row) => truncateChars(sanitizeLine(String(cell(row) ?? '')), MAX_CELL))
  return { title, cells, right: right === true, minWidth: minWidth ?? Number.POSITIVE_INFINITY }
}

/** Truncates the columns that allow it, from the last to the first, until the table fits. */
function shrinkColumns(
  columns: readonly RenderedColumn[],
  room: number,
  metrics: TextMetrics,
): readonly RenderedColumn[] {
  let over = widthOf(columns, metrics) - room
  return columns
    .toReversed()
    .map((column) => {
      const width = columnWidth(column, metrics)
      const saved = Math.min(over, width - Math.max(column.minWidth, metrics.displayWidth(column.title)))
      if (saved <= 0) return column
      over -= saved
      return { ...column, cells: column.cells.map((cell) => metrics.truncate(cell, width - saved)) }
    })
    .reverse()
}

export function columnWidth({ title, cells }: RenderedColumn, { displayWidth }: TextMetrics): number {
  return cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), displayWidth(title))
}

function widthOf(columns: readonly RenderedColumn[], metrics: TextMetrics): number {
  return columns.reduce((sum, column) => sum + columnWidth(column, metrics) + GAP, -GAP)
}

/** Spaces between two columns. */
export const GAP = 2

/** Maximum characters of a cell. `--json` prints longer values in full. */
const MAX_CELL = 160

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

/**
 * Prints a page of a list: the API response with `--json`, otherwise a table and how to get the next page.
 * @param filters the flags of the command; an empty page gets another note if one of them filters
 */
export async function printPage<Row>(
  out: Output,
  page: Page<Row>,
  columns: readonly Column<Row>[],
  emptyText: string,
  filters: { readonly [name: string]: unknown } = {},
): Promise<number> {
  if (out.json) {
    printJsonPage(out, page)
    return 0
  }
  const { limit, cursor, ...chosen } = filters
  const filtered = Object.values(chosen).some((value) => value !== undefined)
  await printTable(out, columns, page.items, filtered ? 'Nothing matches these filters.' : emptyText)
  if (page.next_cursor !== null) out.note(out.notePaint.dim(`There are more: --cursor ${page.next_cursor}`))
  return 0
}

/** Characters per write. */
const CHUNK = 64 * 1024

/** Writes a page as one JSON document in pieces, because large rows can exceed the maximum string length. */
export function printJsonPage<Row>(out: Pick<Output, 'text'>, { items, next_cursor }: Page<Row>): void {
  let text = '{"items":['
  for (const [at, row] of items.entries()) {
    text += `${at === 0 ? '' : ','}${stringifyForTerminal(row)}`
    if (text.length < CHUNK) continue
    out.text(text)
    text = ''
  }
  out.text(`${text}],"next_cursor":${stringifyForTerminal(next_cursor)}}\n`)
}

/** Returns a column whose shorter form is a prefix of the id, which commands accept. */
export function idColumn<Row>(title: string, id: (row: Row) => string): Column<Row> {
  return { title, cell: id, short: { cell: (row) => shortId(id(row)) } }
}

/**
 * Returns a column whose shorter form omits the year.
 * @param time RFC 3339; the heading contains its time zone
 */
export function timeColumn<Row>(title: string, time: (row: Row) => string): Column<Row> {
  const shown = (from: number, to: number) => (row: Row) => formatDateTime(time(row)).slice(from, to)
  return {
    title: `${title} (UTC)`,
    cell: shown(0, 19),
    short: { title: `${title.replace(/ try$/, '')} (UTC)`, cell: shown(5, 19) },
    shortest: { cell: shown(5, 16) },
  }
}

/** Returns `581a9fdd` for a UUID, and `evt_9f3ab2` for an id with a type prefix. */
function shortId(id: string): string {
  return /^(?:[a-z]+_[0-9a-z]{6}|[0-9a-f]{8}(?=-))/.exec(id)?.[0] ?? id
}
