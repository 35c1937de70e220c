import { crc32 } from 'node:zlib'
import { writeLineEnd } from './line.ts'

/** The bytes of lines that wait to be written. */
export interface LineBuffer {
  readonly bytes: Uint8Array
  /** The number of bytes. */
  readonly length: number
  /** Adds lines, and appends a checksum and a line end to each. Returns the number of bytes added. */
  add(lines: readonly string[]): number
  clear(): void
}

const SIZE = 64 * 1024

export function createLineBuffer(): LineBuffer {
  let buffer = Buffer.allocUnsafeSlow(SIZE)
  let used = 0

  return {
    get bytes() {
      return buffer.subarray(0, used)
    },
    get length() {
      return used
    },
    add(lines) {
      let end = used
      for (const text of lines) end += encode(text, end)
      const added = end - used
      used = end
      return added
    },
    clear() {
      used = 0
      if (buffer.length > SIZE) buffer = Buffer.allocUnsafeSlow(SIZE)
    },
  }

  /** Writes a line with its end to the buffer. Returns the number of bytes. */
  function encode(text: string, at: number): number {
    const most = text.length * 3 + 32
    if (at + most > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(at + most, 2 * buffer.length))
      buffer.copy(larger, 0, 0, at)
      buffer = larger
    }
    const end = at + buffer.write(text, at)
    return writeLineEnd(buffer, end, crc32(buffer.subarray(at, end))) - at
  }
}
