// A ring buffer for strings, outside of the heap. New strings overwrite the oldest.

export interface ByteRingBuffer {
  /** Stores a string and returns its position for `get`. The string must be much shorter than the ring. */
  add(text: string): number
  /** Returns `undefined` if the string was overwritten. */
  get(position: number): string | undefined
}

/** Bytes of the length field in front of each string. */
const HEADER = 4

/**
 * @param size in bytes; the operating system allocates memory only for bytes that are written
 * @param shorten returns the part of a string to store
 */
export function createByteRingBuffer(size: number, shorten = (text: string) => text): ByteRingBuffer {
  let bytes: Buffer | undefined
  /** Bytes written so far, and bytes skipped at the end of the ring. The next offset in the ring is `end % size`. */
  let end = 0
  let last: { readonly whole: string; readonly position: number } | undefined
  return {
    add(whole) {
      // The same string is often added twice in a row, such as an unchanged list. Its first copy is the newest entry.
      if (whole === last?.whole) return last.position
      const text = shorten(whole)
      bytes ??= Buffer.allocUnsafeSlow(size)
      // UTF-8 needs three bytes at most for each UTF-16 code unit.
      const most = HEADER + text.length * 3
      if (most > size)
        throw new RangeError(`A text of ${text.length} characters does not fit in a ring of ${size} bytes.`)
      if ((end % size) + most > size) end += size - (end % size)
      const position = end
      const at = position % size
      const length = bytes.write(text, at + HEADER, 'utf8')
      bytes.writeUInt32LE(length, at)
      end += HEADER + length
      last = { whole, position }
      return position
    },
    get(position) {
      if (bytes === undefined || end - position > size) return undefined
      const at = position % size
      const length = bytes.readUInt32LE(at)
      return bytes.toString('utf8', at + HEADER, at + HEADER + length)
    },
  }
}
