import type { Page } from '../../client/control-wire.ts'
import type { Output } from './output.ts'
import { type Column, printTable } from './table.ts'

/** A page of a list: the API's answer with `--json`, else a table and how to go on. @param filters as given */
export async function printPage<Row>(
  out: Output,
  page: Page<Row>,
  columns: readonly Column<Row>[],
  nothing: string,
  filters: { readonly [name: string]: unknown } = {},
): Promise<number> {
  if (out.json) {
    out.document(page)
    return 0
  }
  const { limit, cursor, ...chosen } = filters
  const filtered = Object.values(chosen).some((value) => value !== undefined)
  await printTable(out, columns, page.items, filtered ? 'Nothing matches these filters.' : nothing)
  if (page.next_cursor !== null) out.note(out.notePaint.dim(`There are more: --cursor ${page.next_cursor}`))
  return 0
}
