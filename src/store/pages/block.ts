import { fieldOf } from '../../engine/row-field.ts'
import { textHash } from '../memory/murmur-hash.ts'
import type { Row } from '../memory/row.ts'
import { fieldHash } from './json-field.ts'

/** Rows of one block. */
export const BLOCK_ROWS = 64

/**
 * A run of slots. A slot holds a row, or where its line begins in a text outside of the heap: a row that nobody asks
 * for costs its bytes and nothing else, and gives the garbage collector nothing to look at.
 */
export class Block {
  /** Of the page that may change it. */
  readonly owner: object
  slots: (Row | number | undefined)[] = []
  /** Lines, for the slots that are numbers. */
  text: Buffer | undefined
  /** Others have their lines in `text` too. */
  isShared = false
  /** The same, deflated; there is no `text` then. */
  deflated: Buffer | undefined
  /** Waits for its rows to become text. */
  isQueued = false
  /** The line that was read last, so that reading it again costs nothing. */
  #seen: { readonly slot: number; readonly row: Row } | undefined

  constructor(owner: object = {}) {
    this.owner = owner
  }

  /** The same rows for another page. */
  copy(owner: object): Block {
    const block = new Block(owner)
    block.slots = [...this.slots]
    block.text = this.text
    block.deflated = this.deflated
    // Its text may be deflated for this block only when the other one has let go of it.
    block.isShared = this.text !== undefined
    return block
  }

  /** The row as JSON. */
  line(slot: number, inflate: (block: Block) => Buffer): string | Buffer | undefined {
    const held = this.slots[slot]
    if (held === undefined) return undefined
    return typeof held === 'number' ? lineAt(this.text ?? inflate(this), held) : JSON.stringify(held)
  }

  /** @param inflate gives the text of a packed block */
  row(slot: number, inflate: (block: Block) => Buffer): Row | undefined {
    const held = this.slots[slot]
    if (typeof held !== 'number') return held
    if (this.#seen?.slot === slot) return this.#seen.row
    const row = parseLine(this.text ?? inflate(this), held)
    this.#seen = { slot, row }
    return row
  }

  /** Of a text field of the row, which is not parsed. */
  hash(slot: number, field: string, inflate: (block: Block) => Buffer): number | undefined {
    const held = this.slots[slot]
    if (held === undefined) return undefined
    if (typeof held === 'number') return hashIn(this.text ?? inflate(this), held, field)
    const value = fieldOf(held, field)
    return typeof value === 'string' ? textHash(value) : undefined
  }

  set(slot: number, row: Row | number | undefined): void {
    while (this.slots.length < slot) this.slots.push(undefined)
    this.slots[slot] = row
    if (this.#seen?.slot === slot) this.#seen = undefined
  }

  /** All rows as text. */
  convertToText(inflate: (block: Block) => Buffer): void {
    const old = this.deflated === undefined ? this.text : inflate(this)
    let size = 0
    for (let slot = 0; slot < this.slots.length; slot++) {
      const held = this.slots[slot]
      if (held === undefined) continue
      const start = size
      size =
        typeof held === 'number'
          ? copyToScratch(lineAt(old as Buffer, held), size)
          : writeToScratch(JSON.stringify(held), size)
      this.slots[slot] = start
      scratch[size++] = NEWLINE
    }
    const text = size === 0 ? undefined : Buffer.allocUnsafeSlow(size)
    if (text !== undefined) scratch.copy(text, 0, 0, size)
    if (scratch.length > MAX_SCRATCH_BYTES) scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
    this.text = text
    this.isShared = false
    this.deflated = undefined
  }
}

/** Where a block's text is put together, one after the other. */
let scratch = Buffer.alloc(0)

/** @returns where the line ends in `scratch`; there is room for a newline */
function writeToScratch(line: string, at: number): number {
  growScratch(at + line.length * 3 + 1)
  return at + scratch.write(line, at)
}

function copyToScratch(line: Buffer, at: number): number {
  growScratch(at + line.length + 1)
  return at + line.copy(scratch, at)
}

function growScratch(size: number): void {
  if (size <= scratch.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * size, SCRATCH_BYTES))
  scratch.copy(larger)
  scratch = larger
}

/** The row whose line begins at `start`; lines end with a comma, but for the last. */
export function parseLine(text: Buffer, start: number): Row {
  return JSON.parse(lineAt(text, start).toString('utf8'))
}

function lineAt(text: Buffer, start: number): Buffer {
  return text.subarray(start, lineEnd(text, start))
}

function hashIn(text: Buffer, start: number, field: string): number | undefined {
  return fieldHash(text, start, lineEnd(text, start), field)
}

function lineEnd(text: Buffer, start: number): number {
  const newline = text.indexOf(NEWLINE, start)
  const end = newline < 0 ? text.length : newline
  return text[end - 1] === COMMA ? end - 1 : end
}

/** Bytes; a larger one, made for large rows, is not kept. */
const SCRATCH_BYTES = 64 * 1024
const MAX_SCRATCH_BYTES = 1024 * 1024
const NEWLINE = 10
const COMMA = 44
