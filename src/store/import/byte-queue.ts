/** Bytes that came in pieces, as one run; what was read may be dropped. Each byte is copied once or twice. */
export class ByteQueue {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE)
  #start = 0
  #end = 0
  /** How many bytes were dropped so far. */
  #dropped = 0

  /** The bytes that are not dropped. A `push` or `drop` makes it void. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  /** Of the first byte of `bytes`, from the beginning of all. */
  get offset(): number {
    return this.#dropped
  }

  push(chunk: Uint8Array): void {
    const length = this.#end - this.#start
    if (this.#end + chunk.length > this.#buffer.length) {
      const room = length + chunk.length
      const to = room > this.#buffer.length / 2 ? Buffer.allocUnsafeSlow(2 * room) : this.#buffer
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
