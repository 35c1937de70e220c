/** Joins text and bytes in one buffer, which grows as needed and is used again after `clear`. */
export class GrowingBuffer {
  readonly #minSize: number
  #buffer: Buffer
  #length = 0

  /** @param minSize the first size of the buffer, in bytes */
  constructor(minSize: number) {
    this.#minSize = minSize
    this.#buffer = Buffer.allocUnsafeSlow(minSize)
  }

  get length(): number {
    return this.#length
  }

  /** The bytes so far. They are valid until the next `append` after a `clear`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  append(part: string | Uint8Array): void {
    if (typeof part === 'string') {
      this.#reserve(3 * part.length)
      this.#length += this.#buffer.write(part, this.#length)
    } else {
      this.#reserve(part.length)
      this.#buffer.set(part, this.#length)
      this.#length += part.length
    }
  }

  /** Removes all bytes. Releases a buffer that is larger than `maxSize`. */
  clear(maxSize = this.#minSize): void {
    this.#length = 0
    if (this.#buffer.length > maxSize) this.#buffer = Buffer.allocUnsafeSlow(this.#minSize)
  }

  #reserve(length: number): void {
    const needed = this.#length + length
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}

/** Copies bytes into a buffer of this thread that has exactly their size and shares no memory. */
export function copyBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}
