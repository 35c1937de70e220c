// Prints the rows of a table one at a time, as their results arrive.

import type { TextMetrics } from '../../terminal/ascii-metrics.ts'
import type { Output } from './output.ts'
import type { Bar } from './progress.ts'
import { type Column, columnWidth, GAP, layOutTable, noteHidden } from './table.ts'

export interface ResultPrinter<Row> {
  /** Prints a result of the command: with `--json` the document, otherwise its rows. */
  print(document: unknown, rows: readonly Row[]): Promise<void>
  /** Names the columns that did not fit. */
  finish(): void
}

/** @param progress is cleared while a row is printed */
export function createResultPrinter<Row>(
  out: Output,
  columns: readonly Column<Row>[],
  progress: Pick<Bar, 'above'>,
): ResultPrinter<Row> {
  const table = createRowPrinter(out, columns)
  return {
    async print(document, rows) {
      if (out.json) out.document(document)
      else for (const row of rows) await table.print(row, progress.above)
    },
    finish: table.finish,
  }
}

/** A row, or `undefined` for the usual cells of the columns, which reserve room. */
type Sample<Row> = Row | undefined

function createRowPrinter<Row>(out: Output, columns: readonly Column<Row>[]) {
  const reserving = columns.map(withUsualCell)
  /** Rows with the widest cells so far. A row with a wider cell widens the column for the rows after it. */
  const widest: Sample<Row>[] = [undefined]
  let widths: readonly number[] = []
  let hiddenTitles: readonly string[] = []
  return {
    /** Prints a row, and before the first row the headings. */
    async print(row: Row, above: Bar['above']) {
      const { shown, hidden, metrics } = await layOutTable(out, reserving, [...widest, row])
      const before = widths
      widths = shown.map((column) => columnWidth(column, metrics))
      hiddenTitles = hidden
      if (widths.join() !== before.join()) widest.push(row)
      const line = (cells: readonly string[]) =>
        cells.map((cell, at) => pad(cell, widths[at] ?? 0, shown[at]?.right === true, metrics)).join(' '.repeat(GAP))
      above(() => {
        if (before.length === 0) out.line(out.paint.bold(line(shown.map(({ title }) => title)).trimEnd()))
        out.line(line(shown.map(({ cells }) => cells.at(-1) ?? '')).trimEnd())
      })
    },
    finish: () => noteHidden(out, hiddenTitles),
  }
}

function withUsualCell<Row>({ cell, short, shortest, usual = '', ...column }: Column<Row>): Column<Sample<Row>> {
  const orUsual = (render: (row: Row) => ReturnType<typeof cell>) => (row: Sample<Row>) =>
    row === undefined ? usual : render(row)
  const shorter = (form: typeof short): NonNullable<Column<Sample<Row>>['short']> => {
    const { cell: render, ...title } = form ?? {}
    return render === undefined ? title : { ...title, cell: (row) => (row === undefined ? '' : render(row)) }
  }
  return { ...column, cell: orUsual(cell), short: shorter(short), shortest: shorter(shortest) }
}

function pad(cell: string, width: number, right: boolean, { displayWidth }: TextMetrics): string {
  const spaces = ' '.repeat(Math.max(0, width - displayWidth(cell)))
  return right ? `${spaces}${cell}` : `${cell}${spaces}`
}
