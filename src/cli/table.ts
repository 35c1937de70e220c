// Tables for people: aligned by what a terminal shows, also with Cyrillic and wide characters.
import { stripVTControlCharacters } from 'node:util'
import { plainLine, shorten } from '../terminal/plain-text.ts'
import type { Output } from './output.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string | number | undefined | null
  readonly right?: true
  /** For a terminal that is too narrow: less of the same, which commands still take. */
  readonly short?: { readonly title?: string; readonly cell?: (row: Row) => string }
}

/**
 * Prints the rows, or `nothing` on stderr where there are none. Cells are stripped of control characters.
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
  const { default: Table } = await import('cli-table3')
  const render = (count: number, short: boolean): string[] => {
    const shown = columns.slice(0, count).map((column) => (short ? { ...column, ...column.short } : column))
    const table = new Table({
      head: shown.map(({ title }) => out.paint.bold(title)),
      colAligns: shown.map(({ right }) => (right === true ? 'right' : 'left')),
      chars: NO_LINES,
      style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    })
    for (const row of rows)
      table.push(shown.map(({ cell }) => shorten(plainLine(String(cell(row) ?? '')), LONGEST_CELL)))
    return table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
  }
  let count = columns.length
  let lines = render(count, false)
  if (tooWide(lines, out.columns)) lines = render(count, true)
  while (count > FEWEST && tooWide(lines, out.columns)) lines = render(--count, true)
  for (const line of lines) out.line(line)
  const hidden = columns.slice(count).map(({ title }) => title)
  if (hidden.length > 0) {
    out.note(out.notePaint.dim(`Not shown for want of room: ${hidden.join(', ')}. Widen the terminal, ${elsewhere}.`))
  }
}

/** Characters; texts of the program itself are shorter. A value is whole with --json, and where it is looked at alone. */
const LONGEST_CELL = 160

/** Columns that are shown however narrow the terminal is. */
const FEWEST = 2

/** Columns stand in the order of their weight, so the last go first. Where stdout is no terminal nothing is cut. */
function tooWide(lines: readonly string[], room: number | undefined): boolean {
  if (room === undefined) return false
  return lines.some((line) => stripVTControlCharacters(line).length > room)
}

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
