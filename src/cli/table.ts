// Tables for people: aligned by what a terminal shows, also with Cyrillic and wide characters.
import type { Output } from './output.ts'
import { plainLine } from './plain-text.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string | number | undefined | null
  readonly right?: true
}

/** Prints the rows, or `nothing` on stderr where there are none. Cells are stripped of control characters. */
export async function printTable<Row>(
  out: Output,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nothing: string,
): Promise<void> {
  if (rows.length === 0) {
    out.note(nothing)
    return
  }
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    head: columns.map(({ title }) => out.paint.bold(title)),
    colAligns: columns.map(({ right }) => (right === true ? 'right' : 'left')),
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
  })
  for (const row of rows) table.push(columns.map(({ cell }) => plainLine(String(cell(row) ?? ''))))
  for (const line of table.toString().split('\n')) out.line(line.trimEnd())
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
