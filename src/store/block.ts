import type { Row } from './row.ts'

/** Rows of one block. */
export const BLOCK_ROWS = 64

/**
 * A run of slots. A slot holds a row, or where its line begins in a text outside of the heap: a row that nobody asks
 * for costs its bytes and nothing else, and gives the garbage collector nothing to look at.
 */
export class Block {
  readonly slots: (Row | number | undefined)[] = []
  /** Lines, for the slots that are numbers. */
  text: Buffer | undefined
  /** Others have their lines in `text` too. */
  shared = false
  /** The same, deflated; there is no `text` then. */
  packed: Buffer | undefined
  /** Waits for its rows to become text. */
  queued = false
  /** The line that was read last, so that reading it again costs nothing. */
  #seen: { readonly slot: number; readonly row: Row } | undefined

  /** @param inflate gives the text of a packed block */
  row(slot: number, inflate: (block: Block) => Buffer): Row | undefined {
    const held = this.slots[slot]
    if (typeof held !== 'number') return held
    if (this.#seen?.slot === slot) return this.#seen.row
    const row = parseLine(this.text ?? inflate(this), held)
    this.#seen = { slot, row }
    return row
  }

  hold(slot: number, row: Row | number | undefined): void {
    while (this.slots.length < slot) this.slots.push(undefined)
    this.slots[slot] = row
    if (this.#seen?.slot === slot) this.#seen = undefined
  }

  /** All rows as text. */
  toText(inflate: (block: Block) => Buffer): void {
    const old = this.packed === undefined ? this.text : inflate(this)
    const lines: (Buffer | undefined)[] = this.slots.map((held) => {
      if (held === undefined) return undefined
      return typeof held === 'number' ? lineAt(old as Buffer, held) : Buffer.from(JSON.stringify(held))
    })
    let size = 0
    for (const line of lines) size += line === undefined ? 0 : line.length + 1
    const text = size === 0 ? undefined : Buffer.allocUnsafeSlow(size)
    let offset = 0
    for (const [slot, line] of lines.entries()) {
      if (line === undefined || text === undefined) continue
      this.slots[slot] = offset
      offset += line.copy(text, offset)
      text[offset++] = NEWLINE
    }
    this.text = text
    this.shared = false
    this.packed = undefined
  }
}

/** The row whose line begins at `start`; lines end with a comma, but for the last. */
export function parseLine(text: Buffer, start: number): Row {
  return JSON.parse(lineAt(text, start).toString('utf8'))
}

function lineAt(text: Buffer, start: number): Buffer {
  const newline = text.indexOf(NEWLINE, start)
  const end = newline < 0 ? text.length : newline
  return text.subarray(start, text[end - 1] === COMMA ? end - 1 : end)
}

const NEWLINE = 10
const COMMA = 44
