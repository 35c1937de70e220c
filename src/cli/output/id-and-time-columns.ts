// Columns with a shorter form: ids as a prefix, which commands accept, and times without the year.
import { formatDateTime } from '../../terminal/time-format.ts'
import type { Column } from './table.ts'

export function idColumn<Row>(title: string, id: (row: Row) => string): Column<Row> {
  return { title, cell: id, short: { cell: (row) => beginningOf(id(row)) } }
}

/** @param time RFC 3339; the heading contains its time zone */
export function timeColumn<Row>(title: string, time: (row: Row) => string): Column<Row> {
  const shown = (from: number, to: number) => (row: Row) => formatDateTime(time(row)).slice(from, to)
  return {
    title: `${title} (UTC)`,
    cell: shown(0, 19),
    short: { title: `${title.replace(/ try$/, '')} (UTC)`, cell: shown(5, 19) },
    tight: { cell: shown(5, 16) },
  }
}

/** Returns `581a9fdd` for a UUID, and `evt_9f3ab2` for an id with a type prefix. */
function beginningOf(id: string): string {
  return /^(?:[a-z]+_[0-9a-z]{6}|[0-9a-f]{8}(?=-))/.exec(id)?.[0] ?? id
}
