// The text of a whole state: JSON with a row a line, in pieces, since it may be longer than a text can be.
import type { TableName } from '../../engine/tables.ts'

/** Bytes of a piece, about. */
const PIECE = 64 * 1024

/** JSON of a row, as text or bytes. */
export type RowLines = Iterable<string | Uint8Array>

/** Pieces of a JSON object of `head`'s fields, then `tables`. */
export function* stateText(
  head: object,
  tables: Iterable<readonly [name: TableName, lines: RowLines]>,
): Generator<Uint8Array> {
  // A piece is void after the next step in `sharedStateText`, and a copy here.
  for (const piece of sharedStateText(head, tables)) yield Buffer.from(piece)
}

/** The same without a copy of each piece, which is void after the next step: long texts leave no garbage. */
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
  /** The bytes so far; the next `add` overwrites them. */
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
