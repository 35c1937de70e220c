import type { Memory } from '../memory/memory.ts'
import type { Row } from '../memory/row.ts'
import type { Table } from '../memory/table.ts'
import { PAGE_ROWS } from '../pages/page.ts'
import type { Line } from './line.ts'

export interface Place {
  readonly file: string
  readonly line: number
}

/** Rows that are in two pages, by `<table> <id>`, with the place of one copy. */
export type RowsInTwoPages = Map<string, Place>

/** A page has no free ordinal for a row of the journal, because a user added rows to its file. */
export class PageFullError extends Error {
  override readonly name = 'PageFullError'
}

/**
 * Applies a journal line to the tables in memory. After a crash during a checkpoint some pages already contain the
 * line. They are skipped.
 * @throws PageFullError
 */
export function applyLine(memory: Memory, inTwoPages: RowsInTwoPages, line: Line): void {
  for (const name of line.clear ?? []) {
    memory.clearAt(name, line.seq)
    for (const key of inTwoPages.keys()) if (key.startsWith(`${name} `)) inTwoPages.delete(key)
  }
  for (const { table, n, id } of line.deletes ?? []) {
    if (isPageAhead(memory.table(table), n, line)) continue
    const at = memory.table(table).ordinal(id)
    if (at !== undefined && pageOf(at) === pageOf(n)) memory.table(table).remove(id)
    else inTwoPages.delete(`${table} ${id}`)
  }
  for (const { table, n, row } of line.puts ?? []) {
    if (!isPageAhead(memory.table(table), n, line)) put(memory.table(table), n, row, line)
  }
}

function isPageAhead(table: Table, n: number, line: Line): boolean {
  const page = table.page(pageOf(n))
  return page !== undefined && page.seq >= line.seq
}

function put(table: Table, n: number, row: Row, line: Line): void {
  const at = table.ordinal(row.id)
  if (at !== undefined && pageOf(at) !== pageOf(n)) {
    // A later line inserted the row again at this ordinal, after a deletion, and the page already contains that line.
    if (isPageAhead(table, at, line)) return
    table.remove(row.id)
  }
  if (table.ordinal(row.id) !== undefined) table.put(row)
  else table.insert(freeOrdinal(table, n), row)
}

/** Returns the ordinal `n`. If a row that a user added has this ordinal, returns the next free ordinal of the page. */
function freeOrdinal(table: Table, n: number): number {
  const page = table.page(pageOf(n))
  for (let ordinal = n; pageOf(ordinal) === pageOf(n); ordinal++) {
    if (page === undefined || !page.has(ordinal % PAGE_ROWS)) return ordinal
  }
  throw new PageFullError(`page ${pageOf(n)} of ${table.name} has too many rows: the limit is ${PAGE_ROWS}`)
}

function pageOf(ordinal: number): number {
  return Math.floor(ordinal / PAGE_ROWS)
}
