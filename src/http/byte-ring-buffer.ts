// A ring buffer for strings, outside of the heap. New strings overwrite the oldest.

export interface ByteRingBuffer {
  /**
   * Stores a string and returns its position for `get`.
   * @throws RangeError if `4 + 3 * text.length` exceeds the size of the ring
   */
  add(text: string): number
  /** Returns `undefined` if the string was overwritten. */
  get(position: number): string | undefined
}

/** Bytes of the length field in front of each string. */
const HEADER = 4

const FIRST_SIZE = 16 * 1024

/** @param size in bytes; the memory grows to this size as bytes are written, because many sandboxes log only a few */
export function createByteRingBuffer(size: number): ByteRingBuffer {
  let bytes: Buffer = Buffer.alloc(0)
  /** Bytes written so far, and bytes skipped at the end of the ring. The next offset in the ring is `end % size`. */
  let end = 0
  let last: { readonly text: string; readonly position: number } | undefined
  return {
    add(text) {
      // The same string is often added twice in a row. No other string has overwritten it since.
      if (text === last?.text) return last.position
      // UTF-8 needs three bytes at most for each UTF-16 code unit.
      const most = HEADER + text.length * 3
      if (most > size)
        throw new RangeError(`A text of ${text.length} characters does not fit in a ring of ${size} bytes.`)
      if ((end % size) + most > size) end += size - (end % size)
      const position = end
      const at = position % size
      if (bytes.length < at + most) bytes = largerBuffer(bytes, at + most, size)
      const length = bytes.write(text, at + HEADER, 'utf8')
      bytes.writeUInt32LE(length, at)
      end += HEADER + length
      last = { text, position }
      return position
    },
    get(position) {
      if (position >= end || end - position > size) return undefined
      const at = position % size
      const length = bytes.readUInt32LE(at)
      return bytes.toString('utf8', at + HEADER, at + HEADER + length)
    },
  }
}

/** Returns a copy with space for `needed` bytes. The size doubles up to `most`, so that few bytes are copied. */
function largerBuffer(bytes: Buffer, needed: number, most: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(FIRST_SIZE, 2 * bytes.length, needed)))
  bytes.copy(larger)
  return larger
}
