// Texts in a circle of bytes outside of the heap: the newest overwrite the oldest.

export interface ByteRingBuffer {
  /** Keeps a text that is short against the ring; the number finds it again. */
  add(text: string): number
  /** `undefined` once it was overwritten. */
  get(position: number): string | undefined
}

/** The length stands before the bytes. */
const HEADER = 4

/**
 * @param size in bytes; they are taken from the system as they are written
 * @param shorten what is kept of a text
 */
export function createByteRingBuffer(size: number, shorten = (text: string) => text): ByteRingBuffer {
  let bytes: Buffer | undefined
  /** Bytes passed so far; the place in the ring is what remains after whole rounds. */
  let end = 0
  let last: { readonly whole: string; readonly position: number } | undefined
  return {
    add(whole) {
      // The same answer again, such as a list that never changes: nothing was written since, so it is the newest.
      if (whole === last?.whole) return last.position
      const text = shorten(whole)
      bytes ??= Buffer.allocUnsafeSlow(size)
      // UTF-8 takes three bytes at most for what JavaScript counts as one.
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
