import type { Page } from '../../client/control-types.ts'
import { stringifyForTerminal } from '../../terminal/sanitize.ts'
import type { Output } from './output.ts'
import { type Column, printTable } from './table.ts'

/** Prints a page of a list: the API response with `--json`, otherwise a table and how to get more. @param filters as given */
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

/** Characters per write. */
const PIECE = 64 * 1024

/** Writes a page as one JSON document in pieces, because large rows can exceed the maximum string length. */
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
