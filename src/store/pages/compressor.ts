import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { TableName } from '../../engine/tables.ts'
import { copyBytes } from '../growing-buffer.ts'
import { BLOCK_ROWS, type Block } from './block.ts'

export interface CompressionPolicy {
  /** The number of newest rows that stay objects, because they are likely to change. Fewer if the rows are large. */
  readonly recentRows: number
  /**
   * Whether older rows are deflated. This suits rows that are rarely read. A block above `MAX_SYNC_BYTES` is deflated
   * in the thread pool, so that it does not block the event loop.
   */
  readonly deflate: boolean
}

/**
 * The tables that grow without bound. A payment changes three more times in the 4 s after its creation. If it were text
 * by then, each change would have to parse it and convert its block to text again. So 32,768 payments stay objects: at
 * 8,000 payments per second these are the last 4 s. Reading a deflated event takes 60 µs, but events are rarely read.
 */
export const COMPRESSION: { readonly [T in TableName]?: CompressionPolicy } = {
  payments: { recentRows: 32_768, deflate: false },
  refunds: { recentRows: 4096, deflate: false },
  payouts: { recentRows: 4096, deflate: false },
  idempotency: { recentRows: 2048, deflate: true },
  events: { recentRows: 2048, deflate: true },
  deliveries: { recentRows: 2048, deflate: true },
}

/** The size limit of the newest rows of a table that stay objects, in bytes. */
const RECENT_BYTES = 32 * 1024 * 1024
/** A larger block stays text, because inflating it would block the event loop. Such a block has a very large row. */
const MAX_DEFLATED_BYTES = 8 * 1024 * 1024

/** The small memory level halves the time, because zlib spends most of the time on preparing its memory. */
const DEFLATE = { level: 1, memLevel: 5 }

/** In bytes. Up to this size, deflating synchronously is faster than a job in the thread pool. */
const MAX_SYNC_BYTES = 256 * 1024

/** Converts the older rows of a table to text, block by block, and deflates the text if the policy says so. */
export class Compressor {
  readonly #recentBlocks: number
  readonly #deflate: boolean
  /** The blocks with row objects, oldest first. */
  #queue: Block[] = []
  #queueBytes = 0
  #toDeflate: Block[] = []
  #deflating = false
  #stopped = false
  /** The block that was inflated last, because its rows are often read in succession. */
  #inflated: { readonly deflated: Buffer; readonly text: Buffer } | undefined

  constructor({ recentRows, deflate }: CompressionPolicy) {
    this.#recentBlocks = Math.ceil(recentRows / BLOCK_ROWS)
    this.#deflate = deflate
  }

  /**
   * Call it after a row object was put into the block.
   * @param added the number of bytes by which the block grew
   */
  enqueue(block: Block, added = 0): void {
    this.#queueBytes += block.isQueued ? added : block.bytes
    if (!block.isQueued) this.#queue.push(block)
    block.isQueued = true
    while (this.#hasTooMany()) {
      const oldest = this.#queue.shift() as Block
      this.#queueBytes -= oldest.bytes
      oldest.isQueued = false
      this.#pack(oldest)
    }
  }

  /** The newest block always stays in the queue, even if its rows are large. */
  #hasTooMany(): boolean {
    const { length } = this.#queue
    return length > this.#recentBlocks || (length > 1 && this.#queueBytes > RECENT_BYTES)
  }

  #pack(block: Block): void {
    block.convertToText(this.inflate)
    const { text, bytes } = block
    const deflatesNow = this.#deflate && !this.#stopped && bytes <= MAX_SYNC_BYTES
    if (deflatesNow && text !== undefined) replaceText(block, deflateRawSync(text, DEFLATE))
    else this.scheduleDeflate(block)
  }

  /** Deflates a block in the background. Call it when the block is text and will probably stay text. */
  scheduleDeflate(block: Block): void {
    if (!this.#deflate || block.bytes > MAX_DEFLATED_BYTES) return
    this.#toDeflate.push(block)
    this.#deflateNext()
  }

  stop(): void {
    this.#stopped = true
    this.#toDeflate = []
  }

  readonly inflate = ({ deflated }: Block): Buffer => {
    if (deflated === undefined) return Buffer.alloc(0)
    if (this.#inflated?.deflated !== deflated) this.#inflated = { deflated, text: inflateRawSync(deflated) }
    return this.#inflated.text
  }

  #deflateNext(): void {
    if (this.#deflating || this.#stopped) return
    const block = this.#next()
    if (block === undefined) return
    // Other blocks have lines in this text, so this block first copies its own.
    if (block.isShared) block.convertToText(this.inflate)
    const { text } = block
    if (text === undefined) return
    this.#deflating = true
    deflateRaw(text, DEFLATE, (error, deflated) => {
      this.#deflating = false
      // If the block has changed or deflating failed, the text is kept.
      if (error === null && block.text === text) replaceText(block, deflated)
      this.#deflateNext()
    })
  }

  #next(): Block | undefined {
    let block = this.#toDeflate.pop()
    while (block?.isQueued === true || (block !== undefined && block.text === undefined)) block = this.#toDeflate.pop()
    return block
  }
}

/** Copies the bytes, because the result of zlib is part of a larger buffer. */
function replaceText(block: Block, deflated: Buffer): void {
  block.deflated = copyBytes(deflated)
  block.text = undefined
}
