import { deflateRaw, inflateRawSync } from 'node:zlib'
import { BLOCK_ROWS, type Block } from './block.ts'

export interface CompressionPolicy {
  /** Rows that stay objects: about as many as are put while one of them is still worked on. */
  readonly recentRows: number
  /** Deflated, beside the event loop: for rows that are hardly read again. */
  readonly deflate: boolean
}

/** Turns the rows of a table that were put a while ago into text, block by block. */
export class Compressor {
  readonly #fresh: number
  readonly #deflate: boolean
  /** Blocks that hold objects, in the order in which they began to. */
  #queue: Block[] = []
  #toDeflate: Block[] = []
  #deflating = false
  #stopped = false
  #inflated: { readonly packed: Buffer; readonly text: Buffer } | undefined

  constructor({ recentRows: fresh, deflate }: CompressionPolicy) {
    this.#fresh = Math.ceil(fresh / BLOCK_ROWS)
    this.#deflate = deflate
  }

  /** An object was put into the block. */
  enqueue(block: Block): void {
    if (block.isQueued) return
    block.isQueued = true
    if (this.#queue.push(block) <= this.#fresh) return
    const oldest = this.#queue.shift() as Block
    oldest.isQueued = false
    oldest.convertToText(this.inflate)
    this.scheduleDeflate(oldest)
  }

  /** The block is text, and stays so for a while. */
  scheduleDeflate(block: Block): void {
    if (!this.#deflate || block.text === undefined) return
    this.#toDeflate.push(block)
    this.#deflateNext()
  }

  /** Nothing is deflated any more. */
  stop(): void {
    this.#stopped = true
    this.#toDeflate = []
  }

  /** The text of a packed block; that of the last one asked for is kept. */
  readonly inflate = ({ deflated: packed }: Block): Buffer => {
    if (packed === undefined) return Buffer.alloc(0)
    if (this.#inflated?.packed !== packed) this.#inflated = { packed, text: inflateRawSync(packed) }
    return this.#inflated.text
  }

  #deflateNext(): void {
    if (this.#deflating || this.#stopped) return
    const block = this.#next()
    if (block === undefined) return
    if (block.isShared) block.convertToText(this.inflate)
    const { text } = block
    if (text === undefined) return
    this.#deflating = true
    deflateRaw(text, { level: 1 }, (error, packed) => {
      this.#deflating = false
      // Where it changed meanwhile, or cannot be had, the text does as well.
      if (error === null && block.text === text) {
        block.deflated = Buffer.allocUnsafeSlow(packed.length)
        packed.copy(block.deflated)
        block.text = undefined
      }
      this.#deflateNext()
    })
  }

  #next(): Block | undefined {
    let block = this.#toDeflate.pop()
    while (block?.isQueued === true || (block !== undefined && block.text === undefined)) block = this.#toDeflate.pop()
    return block
  }
}
