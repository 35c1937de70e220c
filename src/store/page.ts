/** What every table holds. */
export interface Row {
  readonly id: string
}

/** Rows of one page file. */
export const PAGE_ROWS = 1024

/**
 * A run of ordinals in memory. A slot holds a row, or where its line begins in `text` until somebody asks for it: so
 * a start reads a million rows without making a million objects.
 */
export class Page {
  live = 0
  /** The file held every journal line up to this one when it was read. */
  seq = 0
  /** As the page file had it. */
  text: Buffer | undefined
  readonly #slots: (Row | number | undefined)[] = []

  /** How many slots are lines in `text`. */
  #lines = 0

  get length(): number {
    return this.#slots.length
  }

  /** Once a row is asked for it stays an object; the text goes when no line of it is needed, so memory hardly grows. */
  row(slot: number): Row | undefined {
    const held = this.#slots[slot]
    if (typeof held !== 'number') return held
    const row = parseLine(this.text as Buffer, held)
    this.#hold(slot, row)
    return row
  }

  has(slot: number): boolean {
    return this.#slots[slot] !== undefined
  }

  set(slot: number, row: Row | number): void {
    while (this.#slots.length < slot) this.#slots.push(undefined)
    if (this.#slots[slot] === undefined) this.live++
    this.#hold(slot, row)
  }

  clear(slot: number): void {
    if (this.#slots[slot] === undefined) return
    this.#hold(slot, undefined)
    this.live--
  }

  #hold(slot: number, row: Row | number | undefined): void {
    if (typeof row === 'number') this.#lines++
    if (typeof this.#slots[slot] === 'number' && --this.#lines === 0) this.text = undefined
    this.#slots[slot] = row
  }
}

/** The row whose line begins at `start`; lines end with a comma, but for the last. */
export function parseLine(text: Buffer, start: number): Row {
  const newline = text.indexOf(10, start)
  const end = newline < 0 ? text.length : newline
  return JSON.parse(text.toString('utf8', start, text[end - 1] === COMMA ? end - 1 : end))
}

const COMMA = 44
