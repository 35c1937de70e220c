/** Joins chunks into one buffer, from whose start bytes can be dropped. On average a byte is copied at most three times. */
export class ByteQueue {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE)
  #start = 0
  #end = 0
  /** The number of bytes that were dropped so far. */
  #dropped = 0

  /** The bytes that are not dropped. Valid until the next `push` or `drop`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  /** The position of the first byte of `bytes` in the whole input. */
  get offset(): number {
    return this.#dropped
  }

  push(chunk: Uint8Array): void {
    const length = this.#end - this.#start
    if (this.#end + chunk.length > this.#buffer.length) {
      const needed = length + chunk.length
      const to = needed > this.#buffer.length / 2 ? Buffer.allocUnsafeSlow(2 * needed) : this.#buffer
      to.set(this.bytes, 0)
      this.#buffer = to
      this.#start = 0
      this.#end = length
    }
    this.#buffer.set(chunk, this.#end)
    this.#end += chunk.length
  }

  drop(count: number): void {
    this.#start += count
    this.#dropped += count
  }
}

const FIRST_SIZE = 64 * 1024
