import { RecordingError } from './recording-error.ts'

/** A line without its end. */
export interface TextLine {
  /** Starts at 1. */
  readonly number: number
  readonly bytes: Buffer
  /** False for the last line of a file that does not end with a line feed. */
  readonly hasEnd: boolean
}

/** Longer lines are rejected, because a file without line ends would fill the memory. */
const MAX_LINE = 64 * 1024 * 1024

/**
 * Splits bytes into lines.
 * @param name the name of the file, for messages
 * @throws RecordingError if a line is too long
 */
export async function* textLines(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<TextLine> {
  let open: Buffer[] = []
  let length = 0
  let number = 1
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      yield line(Buffer.concat([...open, bytes.subarray(start, end)]), number++, true)
      open = []
      length = 0
      start = end + 1
    }
    open.push(bytes.subarray(start))
    length += bytes.length - start
    if (length > MAX_LINE) {
      throw new RecordingError(
        `${name} line ${number} is longer than 64 MiB.`,
        'Name the format of the file with --format.',
      )
    }
  }
  const last = Buffer.concat(open)
  if (last.length > 0) yield line(last, number, false)
}

/** Removes a carriage return at the end, and a byte order mark at the beginning of the file. */
function line(bytes: Buffer, number: number, hasEnd: boolean): TextLine {
  const start = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
  const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length
  return { number, bytes: bytes.subarray(start, end), hasEnd }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
