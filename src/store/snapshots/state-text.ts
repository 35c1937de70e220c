// Formats a state as JSON with one row per line, in pieces, because the text may exceed the longest string.
import type { TableName } from '../../engine/tables.ts'
import { GrowingBuffer } from '../growing-buffer.ts'

/** The approximate size of a piece in bytes. */
const PIECE = 64 * 1024

/** The JSON text of each row. */
export type RowLines = Iterable<string | Uint8Array>

/** Yields a JSON object with the fields of `head`, then `tables`. */
export function* stateText(
  head: object,
  tables: Iterable<readonly [name: TableName, lines: RowLines]>,
): Generator<Uint8Array> {
  // A piece of `sharedStateText` is valid only until the next step, so copy it.
  for (const piece of sharedStateText(head, tables)) yield Buffer.from(piece)
}

/** Like `stateText` without copies, so a long text leaves no garbage. A piece is valid only until the next one. */
export function* sharedStateText(
  head: object,
  tables: Iterable<readonly [name: TableName, lines: RowLines]>,
): Generator<Uint8Array> {
  const piece = new GrowingBuffer(2 * PIECE)
  piece.append(`${JSON.stringify(head).slice(0, -1)},"tables":{`)
  let separator = '\n'
  for (const [name, lines] of tables) {
    piece.append(`${separator}${JSON.stringify(name)}:[`)
    separator = ',\n'
    let between = '\n'
    for (const line of lines) {
      piece.append(between)
      piece.append(line)
      between = ',\n'
      if (piece.length < PIECE) continue
      yield piece.bytes
      piece.clear()
    }
    piece.append(']')
  }
  piece.append('\n}}\n')
  yield piece.bytes
}
