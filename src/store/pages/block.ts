import { fieldOf } from '../../engine/tables.ts'
import { copyBytes, GrowingBuffer } from '../growing-buffer.ts'
import { COMMA, NEWLINE } from '../json-characters.ts'
import { textHash } from '../memory/murmur-hash.ts'
import type { Row } from '../memory/row.ts'
import { fieldHash } from './json-field.ts'

export const BLOCK_ROWS = 64

/**
 * Rows in consecutive slots. A slot contains the row as an object, or the offset of its line in `text`. Rows as text
 * use memory outside of the heap, so they cost the garbage collector nothing.
 */
export class Block {
  /** Identifies the `TablePages` that may change this block. */
  readonly owner: object
  slots: (Row | number | undefined)[] = []
  /** The approximate size of the rows when they were inserted. */
  bytes = 0
  /** The lines of the rows that are text. */
  text: Buffer | undefined
  /** Whether other blocks have lines in `text`. */
  isShared = false
  /** `text` in deflated form. If it is present, `text` is absent. */
  deflated: Buffer | undefined
  /** Whether the block is queued to become text. */
  isQueued = false
  /** The row that was parsed last, because rows are often read several times in succession. */
  #lastRead: { readonly slot: number; readonly row: Row } | undefined

  constructor(owner: object = {}) {
    this.owner = owner
  }

  /** Returns a block with the same rows, which `owner` may change. */
  copy(owner: object): Block {
    const block = new Block(owner)
    block.slots = [...this.slots]
    block.bytes = this.bytes
    block.text = this.text
    block.deflated = this.deflated
    // The compressor copies shared text before it deflates the text.
    block.isShared = this.text !== undefined
    return block
  }

  /**
   * Returns the row as JSON.
   * @param inflate returns the text of a deflated block
   */
  line(slot: number, inflate: (block: Block) => Buffer): string | Buffer | undefined {
    const value = this.slots[slot]
    if (value === undefined) return undefined
    return typeof value === 'number' ? lineAt(this.text ?? inflate(this), value) : JSON.stringify(value)
  }

  row(slot: number, inflate: (block: Block) => Buffer): Row | undefined {
    const value = this.slots[slot]
    if (typeof value !== 'number') return value
    if (this.#lastRead?.slot === slot) return this.#lastRead.row
    const row = parseLine(this.text ?? inflate(this), value)
    this.#lastRead = { slot, row }
    return row
  }

  /** Returns the hash of a string field. A row that is text is not parsed. */
  hash(slot: number, field: string, inflate: (block: Block) => Buffer): number | undefined {
    const value = this.slots[slot]
    if (value === undefined) return undefined
    if (typeof value === 'number') return hashIn(this.text ?? inflate(this), value, field)
    const text = fieldOf(value, field)
    return typeof text === 'string' ? textHash(text) : undefined
  }

  set(slot: number, row: Row | number | undefined): void {
    while (this.slots.length < slot) this.slots.push(undefined)
    this.slots[slot] = row
    if (this.#lastRead?.slot === slot) this.#lastRead = undefined
  }

  /** Replaces all row objects with text. */
  convertToText(inflate: (block: Block) => Buffer): void {
    const old = this.deflated === undefined ? this.text : inflate(this)
    for (let slot = 0; slot < this.slots.length; slot++) {
      const value = this.slots[slot]
      if (value === undefined) continue
      this.slots[slot] = scratch.length
      scratch.append(typeof value === 'number' ? lineAt(old as Buffer, value) : JSON.stringify(value))
      scratch.append('\n')
    }
    this.text = scratch.length === 0 ? undefined : copyBytes(scratch.bytes)
    scratch.clear(MAX_SCRATCH_BYTES)
    this.isShared = false
    this.deflated = undefined
  }
}

/** A larger scratch buffer is released after use. Only large rows exceed it. */
const MAX_SCRATCH_BYTES = 1024 * 1024
/** The buffer in which the text of a block is assembled. All blocks use the same buffer, one after the other. */
const scratch = new GrowingBuffer(64 * 1024)

/** Parses the row at `start`. In a page file, all lines except the last end with a comma. */
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
