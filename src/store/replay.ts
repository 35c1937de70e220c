import type { Line } from './line.ts'
import type { Memory } from './memory.ts'
import { PAGE_ROWS, type Row } from './page.ts'
import type { Table } from './table.ts'

/** Rows that two pages hold, by `<table> <id>`, and where the older copy is. */
export type StaleCopies = Map<string, { readonly file: string; readonly line: number }>

/** A page has no room for a row of the journal: it was filled by hand. */
export class PageFull extends Error {
  override readonly name = 'PageFull'
}

/**
 * Applies journal lines to the memory. Lines hold absolute values, so it does no harm when some pages are newer than
 * the lines: a checkpoint that a crash cut short leaves them so.
 * @throws PageFull
 */
export function replayLines(memory: Memory, stale: StaleCopies, lines: readonly Line[]): void {
  for (const line of lines) {
    for (const name of line.clear ?? []) {
      memory.reset(name)
      for (const key of stale.keys()) if (key.startsWith(`${name} `)) stale.delete(key)
    }
    for (const { table, n, id } of line.deletes ?? []) {
      const into = memory.table(table)
      const at = into.ordinal(id)
      if (at !== undefined && pageOf(at) === pageOf(n)) into.remove(id)
      else stale.delete(`${table} ${id}`)
    }
    for (const { table, n, row } of line.puts ?? []) put(memory.table(table), n, row)
  }
}

function put(table: Table, n: number, row: Row): void {
  const at = table.ordinal(row.id)
  // A later line moves the row to the page where it is already: this one is about its past.
  const isPast = at !== undefined && pageOf(at) > pageOf(n)
  if (isPast) return
  if (at !== undefined && pageOf(at) < pageOf(n)) table.remove(row.id)
  if (table.ordinal(row.id) !== undefined) table.put(row)
  else table.insert(freeOrdinal(table, n), row)
  table.next = Math.max(table.next, n + 1)
}

/**
 * The ordinal the row had, or another of its page: reading a page closes the gaps of deleted rows, so its rows may have
 * moved up in it.
 */
function freeOrdinal(table: Table, n: number): number {
  const page = table.page(pageOf(n))
  if (page === undefined || !page.has(n % PAGE_ROWS)) return n
  for (let slot = PAGE_ROWS - 1; slot >= 0; slot--) {
    if (!page.has(slot)) return pageOf(n) * PAGE_ROWS + slot
  }
  throw new PageFull(`page ${pageOf(n)} of ${table.name} has more rows than it may: it holds ${PAGE_ROWS} at most`)
}

function pageOf(ordinal: number): number {
  return Math.floor(ordinal / PAGE_ROWS)
}
