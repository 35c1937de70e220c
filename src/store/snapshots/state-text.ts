// Formats a whole state as JSON with one row per line. It yields pieces, because the text may exceed the longest string.
import type { TableName } from '../../engine/tables.ts'

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

/** Like `stateText` but without copies, so that a long text leaves no garbage. A piece is valid only until the next piece. */
export function* sharedStateText(
  head: object,
  tables: Iterable<readonly [name: TableName, lines: RowLines]>,
): Generator<Uint8Array> {
  const piece = createPiece()
  piece.add(`${JSON.stringify(head).slice(0, -1)},"tables":{`)
  let separator = '\n'
  for (const [name, lines] of tables) {
    piece.add(`${separator}${JSON.stringify(name)}:[`)
    separator = ',\n'
    let between = '\n'
    for (const line of lines) {
      piece.add(between)
      piece.add(line)
      between = ',\n'
      if (piece.size >= PIECE) yield piece.take()
    }
    piece.add(']')
  }
  piece.add('\n}}\n')
  yield piece.take()
}

interface Piece {
  readonly size: number
  add(part: string | Uint8Array): void
  /** Returns the bytes so far. The next `add` overwrites them. */
  take(): Uint8Array
}

function createPiece(): Piece {
  let buffer = Buffer.allocUnsafeSlow(2 * PIECE)
  let size = 0

  function reserve(length: number): void {
    if (size + length <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (size + length))
    buffer.copy(larger, 0, 0, size)
    buffer = larger
  }

  return {
    get size() {
      return size
    },
    add(part) {
      if (typeof part === 'string') {
        reserve(3 * part.length)
        size += buffer.write(part, size)
      } else {
        reserve(part.length)
        buffer.set(part, size)
        size += part.length
      }
    },
    take() {
      const taken = buffer.subarray(0, size)
      size = 0
      return taken
    },
  }
}
