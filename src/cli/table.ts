// Tables for people: aligned by what a terminal shows, also with Cyrillic and wide characters.
import { stripVTControlCharacters } from 'node:util'
import { plainLine } from '../terminal/plain-text.ts'
import type { Output } from './output.ts'

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
  const cells = rows.map((row) => columns.map(({ cell }) => plainLine(String(cell(row) ?? ''))))
  const render = (count: number): string[] => {
    const shown = columns.slice(0, count)
    const table = new Table({
      head: shown.map(({ title }) => out.paint.bold(title)),
      colAligns: shown.map(({ right }) => (right === true ? 'right' : 'left')),
      chars: NO_LINES,
      style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    })
    for (const row of cells) table.push(row.slice(0, count))
    return table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
  }
  let count = columns.length
  let lines = render(count)
  while (count > FEWEST && tooWide(lines, out.columns)) lines = render(--count)
  for (const line of lines) out.line(line)
  const hidden = columns.slice(count).map(({ title }) => title)
  if (hidden.length > 0) {
    out.note(out.notePaint.dim(`Not shown for want of room: ${hidden.join(', ')}. Widen the terminal, or use --json.`))
  }
}

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
