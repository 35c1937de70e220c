import { type BatchSize, isFull, rowSize } from '../../engine/batch-size.ts'
import type { Row } from '../memory/row.ts'
import { BLOCK_ROWS, Block } from './block.ts'
import type { Compressor } from './compressor.ts'

/** The maximum number of rows in a page file. */
export const PAGE_ROWS = 1024

/** A full page gets no new row. The event loop handles a page in one step, which takes milliseconds at this size. */
export const PAGE_LIMIT: BatchSize = { rows: PAGE_ROWS, bytes: 4 * 1024 * 1024 }

/** The rows of one page file in memory. */
export class Page {
  /** The number of rows. */
  live = 0
  /** The last journal line in the file when it was read. */
  seq = 0
  /** The number of used slots, including the slots of deleted rows. */
  length = 0
  /** The approximate size of its rows when they were inserted. */
  bytes = 0
  /** The text of the page file while its lines are added. */
  #text: Buffer | undefined
  /** Identifies the `TablePages` that may change this page. */
  readonly owner: object
  readonly #compressor: Compressor | undefined
  #blocks: (Block | undefined)[] = []

  constructor(compressor: Compressor | undefined, owner: object = {}) {
    this.#compressor = compressor
    this.owner = owner
  }

  /** Returns a page with the same rows for another owner. A block is shared until one of the two pages changes it. */
  copy(owner: object): Page {
    const page = new Page(this.#compressor, owner)
    page.live = this.live
    page.seq = this.seq
    page.length = this.length
    page.bytes = this.bytes
    page.#blocks = [...this.#blocks]
    return page
  }

  /** True if new rows must be inserted in another page. */
  get isFull(): boolean {
    return isFull({ rows: this.length, bytes: this.bytes }, PAGE_LIMIT)
  }

  row(slot: number): Row | undefined {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.row(slot % BLOCK_ROWS, this.#inflate)
  }

  /** Returns the row as JSON. */
  line(slot: number): string | Buffer | undefined {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.line(slot % BLOCK_ROWS, this.#inflate)
  }

  /** Returns the hash of a string field of the row. */
  hash(slot: number, field: string): number | undefined {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.hash(slot % BLOCK_ROWS, field, this.#inflate)
  }

  has(slot: number): boolean {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.slots[slot % BLOCK_ROWS] !== undefined
  }

  set(slot: number, row: Row): void {
    const block = this.#block(slot)
    const added = this.has(slot) ? 0 : rowSize(row)
    this.#put(block, slot, row, added)
    this.#compressor?.enqueue(block, added)
  }

  clear(slot: number): void {
    if (!this.has(slot)) return
    this.#block(slot).set(slot % BLOCK_ROWS, undefined)
    this.live--
  }

  /** Begins to add the lines of a page file, see `setLine`. */
  startLoading(text: Buffer): void {
    this.#text = text
  }

  /**
   * @param start the offset of the line in the text of the file
   * @param length in bytes
   */
  setLine(slot: number, start: number, length: number): void {
    this.#put(this.#block(slot), slot, start, length)
  }

  /** Call it when all lines of the file are added. */
  finishLoading(): void {
    this.#text = undefined
    for (const block of this.#blocks)
      if (block !== undefined && !block.isQueued) this.#compressor?.scheduleDeflate(block)
  }

  #put(block: Block, slot: number, value: Row | number, size: number): void {
    if (block.slots[slot % BLOCK_ROWS] === undefined) this.live++
    this.bytes += size
    block.bytes += size
    if (slot >= this.length) this.length = slot + 1
    block.set(slot % BLOCK_ROWS, value)
  }

  #block(slot: number): Block {
    const number = Math.floor(slot / BLOCK_ROWS)
    const existing = this.#blocks[number]
    if (existing?.owner === this.owner) return existing
    if (existing !== undefined) {
      const copy = existing.copy(this.owner)
      this.#blocks[number] = copy
      return copy
    }
    while (this.#blocks.length < number) this.#blocks.push(undefined)
    const block = new Block(this.owner)
    block.text = this.#text
    block.isShared = this.#text !== undefined
    this.#blocks[number] = block
    return block
  }

  readonly #inflate = (block: Block): Buffer => this.#compressor?.inflate(block) ?? Buffer.alloc(0)
}
