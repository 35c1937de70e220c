import type { Row } from '../memory/row.ts'
import { BLOCK_ROWS, Block } from './block.ts'
import type { Compressor } from './compressor.ts'

/** Rows of one page file. */
export const PAGE_ROWS = 1024

/** A run of ordinals in memory, as long as a page file. */
export class Page {
  live = 0
  /** The file held every journal line up to this one when it was read. */
  seq = 0
  length = 0
  /** As the page file had it: blocks that are made have their lines in it. */
  #text: Buffer | undefined
  /** Of the run that may change it. */
  readonly owner: object
  readonly #packer: Compressor | undefined
  #blocks: (Block | undefined)[] = []

  constructor(packer: Compressor | undefined, owner: object = {}) {
    this.#packer = packer
    this.owner = owner
  }

  /** The same rows for another run. The blocks are shared until one of the two changes them. */
  copy(owner: object): Page {
    const page = new Page(this.#packer, owner)
    page.live = this.live
    page.seq = this.seq
    page.length = this.length
    page.#blocks = [...this.#blocks]
    return page
  }

  row(slot: number): Row | undefined {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.row(slot % BLOCK_ROWS, this.#inflate)
  }

  /** The row as JSON. */
  line(slot: number): string | Buffer | undefined {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.line(slot % BLOCK_ROWS, this.#inflate)
  }

  /** Of a text field of the row. */
  hash(slot: number, field: string): number | undefined {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.hash(slot % BLOCK_ROWS, field, this.#inflate)
  }

  has(slot: number): boolean {
    return this.#blocks[Math.floor(slot / BLOCK_ROWS)]?.slots[slot % BLOCK_ROWS] !== undefined
  }

  set(slot: number, row: Row): void {
    const block = this.#block(slot)
    this.#hold(block, slot, row)
    this.#packer?.enqueue(block)
  }

  clear(slot: number): void {
    if (!this.has(slot)) return
    this.#block(slot).set(slot % BLOCK_ROWS, undefined)
    this.live--
  }

  /** Rows of a file, by where their lines begin in its text. */
  startLoading(text: Buffer): void {
    this.#text = text
  }

  setLine(slot: number, start: number): void {
    this.#hold(this.#block(slot), slot, start)
  }

  /** All lines of the file are placed. */
  finishLoading(): void {
    this.#text = undefined
    for (const block of this.#blocks) if (block !== undefined && !block.isQueued) this.#packer?.scheduleDeflate(block)
  }

  #hold(block: Block, slot: number, held: Row | number): void {
    if (block.slots[slot % BLOCK_ROWS] === undefined) this.live++
    if (slot >= this.length) this.length = slot + 1
    block.set(slot % BLOCK_ROWS, held)
  }

  #block(slot: number): Block {
    const number = Math.floor(slot / BLOCK_ROWS)
    const known = this.#blocks[number]
    if (known?.owner === this.owner) return known
    if (known !== undefined) {
      const copied = known.copy(this.owner)
      this.#blocks[number] = copied
      return copied
    }
    while (this.#blocks.length < number) this.#blocks.push(undefined)
    const block = new Block(this.owner)
    block.text = this.#text
    block.isShared = this.#text !== undefined
    this.#blocks[number] = block
    return block
  }

  readonly #inflate = (block: Block): Buffer => this.#packer?.inflate(block) ?? Buffer.alloc(0)
}
