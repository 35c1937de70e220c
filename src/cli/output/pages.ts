import type { Page } from '../../client/control-types.ts'
import { stringifyForTerminal } from '../../terminal/sanitize.ts'
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
    printJsonPage(out, page)
    return 0
  }
  const { limit, cursor, ...chosen } = filters
  const filtered = Object.values(chosen).some((value) => value !== undefined)
  await printTable(out, columns, page.items, filtered ? 'Nothing matches these filters.' : nothing)
  if (page.next_cursor !== null) out.note(out.notePaint.dim(`There are more: --cursor ${page.next_cursor}`))
  return 0
}

/** Characters that are written at once. */
const PIECE = 64 * 1024

/** A page as one JSON document, in pieces: a page of large rows is more text than one string can hold. */
export function printJsonPage<Row>(out: Pick<Output, 'text'>, { items, next_cursor }: Page<Row>): void {
  let text = '{"items":['
  for (const [at, row] of items.entries()) {
    text += `${at === 0 ? '' : ','}${stringifyForTerminal(row)}`
    if (text.length < PIECE) continue
    out.text(text)
    text = ''
  }
  out.text(`${text}],"next_cursor":${stringifyForTerminal(next_cursor)}}\n`)
}
