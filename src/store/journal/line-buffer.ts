import { crc32 } from 'node:zlib'
import type { Commit } from '../../engine/commit.ts'
import type { Change } from '../memory/memory.ts'
import { encodeCommit, formatLineEnd } from './line.ts'

/** The bytes of lines that wait to be written. */
export interface LineBuffer {
  readonly bytes: Uint8Array
  /** The number of bytes. */
  readonly length: number
  /** See `Journal.add`. */
  add(seq: number, at: number, command: string, commit: Commit, change: Change): number
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
    add(...commit) {
      const texts = encodeCommit(...commit)
      let end = used
      for (const text of texts) end += encode(text, end)
      used = end
      return texts.length
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
    return end + buffer.write(formatLineEnd(crc32(buffer.subarray(at, end))), end) - at
  }
}
