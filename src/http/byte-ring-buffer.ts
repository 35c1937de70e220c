// A ring buffer for texts outside of the heap. The newest texts overwrite the oldest.

export interface ByteRingBuffer {
  /** Stores a text and returns its position for `get`. The text must be much shorter than the ring. */
  add(text: string): number
  /** Returns `undefined` if the text was overwritten. */
  get(position: number): string | undefined
}

/** Bytes of the length field before each text. */
const HEADER = 4

/**
 * @param size in bytes; the system allocates them when they are written
 * @param shorten returns the part of a text to store
 */
export function createByteRingBuffer(size: number, shorten = (text: string) => text): ByteRingBuffer {
  let bytes: Buffer | undefined
  /** Bytes written so far. The offset in the ring is `end % size`. */
  let end = 0
  let last: { readonly whole: string; readonly position: number } | undefined
  return {
    add(whole) {
      // An equal text is often added again, such as an unchanged list. Nothing was written since, so it is still there.
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
