import type { Page } from '../client/control-wire.ts'
import type { Output } from './output.ts'
import { type Column, printTable } from './table.ts'

/** A page of a list: the API's answer with `--json`, else a table and how to go on. */
export async function printPage<Row>(
  out: Output,
  page: Page<Row>,
  columns: readonly Column<Row>[],
  nothing: string,
): Promise<number> {
  if (out.json) {
    out.document(page)
    return 0
  }
  await printTable(out, columns, page.items, nothing)
  if (page.next_cursor !== null) out.note(out.notePaint.dim(`There are more: --cursor ${page.next_cursor}`))
  return 0
}
