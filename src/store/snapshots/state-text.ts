// The text of a whole state: JSON with a row a line, in pieces, since it may be longer than a text can be.
import type { TableName } from '../../engine/tables.ts'

/** Bytes of a piece, about. */
const PIECE = 64 * 1024

/** JSON of a row, as text or bytes. */
export type RowLines = Iterable<string | Uint8Array>

/** A JSON object of `head`'s fields, then `tables`. */
export function* stateText(
  head: object,
  tables: Iterable<readonly [name: TableName, lines: RowLines]>,
): Generator<Uint8Array> {
  let parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"tables":{`)]
  let size = 0
  let separator = '\n'
  for (const [name, lines] of tables) {
    parts.push(Buffer.from(`${separator}${JSON.stringify(name)}:[`))
    separator = ',\n'
    let between = FIRST
    for (const line of lines) {
      const bytes = typeof line === 'string' ? Buffer.from(line) : line
      parts.push(between, bytes)
      between = NEXT
      size += bytes.length
      if (size < PIECE) continue
      yield Buffer.concat(parts)
      parts = []
      size = 0
    }
    parts.push(END)
  }
  parts.push(Buffer.from('\n}}\n'))
  yield Buffer.concat(parts)
}

const FIRST = Buffer.from('\n')
const NEXT = Buffer.from(',\n')
const END = Buffer.from(']')
