// Columns that have a shorter form: ids by their beginning, which commands take for the whole, and times without their year.
import { formatDateTime } from '../../terminal/time-format.ts'
import type { Column } from './table.ts'

export function idColumn<Row>(title: string, id: (row: Row) => string): Column<Row> {
  return { title, cell: id, short: { cell: (row) => beginningOf(id(row)) } }
}

/** @param time RFC 3339; the heading gets its zone */
export function timeColumn<Row>(title: string, time: (row: Row) => string): Column<Row> {
  const shown = (from: number, to: number) => (row: Row) => formatDateTime(time(row)).slice(from, to)
  return {
    title: `${title} (UTC)`,
    cell: shown(0, 19),
    short: { title: `${title.replace(/ try$/, '')} (UTC)`, cell: shown(5, 19) },
    tight: { cell: shown(5, 16) },
  }
}

/** `581a9fdd` of a UUID, `evt_9f3ab2` of what has a prefix. */
function beginningOf(id: string): string {
  return /^(?:[a-z]+_[0-9a-z]{6}|[0-9a-f]{8}(?=-))/.exec(id)?.[0] ?? id
}
