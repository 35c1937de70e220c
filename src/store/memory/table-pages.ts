import type { Compressor } from '../pages/compressor.ts'
import { PAGE_ROWS, Page } from '../pages/page.ts'
import type { Row } from './row.ts'

/** The pages of a table, in the order of ordinals. A `snapshot` shares them. They are then copied before a change. */
export class TablePages {
  readonly #compressor: Compressor | undefined
  readonly #pages: (Page | undefined)[]
  /** Identifies the pages that are not shared. */
  #owner: object = {}
  /** Pages before this one are empty. */
  #first: number

  constructor(compressor: Compressor | undefined, pages: (Page | undefined)[] = [], first = 0) {
    this.#compressor = compressor
    this.#pages = pages
    this.#first = first
  }

  get length(): number {
    return this.#pages.length
  }

  /** Ordinals before this one have no rows. */
  get start(): number {
    return this.#first * PAGE_ROWS
  }

  at(ordinal: number): Row | undefined {
    return this.#pages[Math.floor(ordinal / PAGE_ROWS)]?.row(ordinal % PAGE_ROWS)
  }

  page(number: number): Page | undefined {
    return this.#pages[number]
  }

  /** Yields all rows, the oldest first. */
  *rows(): Generator<Row> {
    for (let number = this.#first; number < this.#pages.length; number++) {
      const page = this.#pages[number]
      for (let slot = 0; slot < (page?.length ?? 0); slot++) {
        const row = page?.row(slot)
        if (row !== undefined) yield row
      }
    }
  }

  /** Yields the rows before an ordinal, the newest first. */
  *rowsBefore(end: number): Generator<Row> {
    for (let number = Math.floor((end - 1) / PAGE_ROWS); number >= this.#first; number--) {
      const page = this.#pages[number]
      if (page === undefined) continue
      for (let slot = Math.min(page.length, end - number * PAGE_ROWS) - 1; slot >= 0; slot--) {
        const row = page.row(slot)
        if (row !== undefined) yield row
      }
    }
  }

  /** Yields the rows from an ordinal up to `end()`, including rows that are added during the iteration. */
  *rowsFrom(from: number, end: () => number): Generator<Row> {
    for (let ordinal = from; ordinal < end(); ) {
      const page = this.#pages[Math.floor(ordinal / PAGE_ROWS)]
      const pageEnd = (Math.floor(ordinal / PAGE_ROWS) + 1) * PAGE_ROWS
      if (page === undefined || page.live === 0) ordinal = pageEnd
      for (; ordinal < pageEnd && ordinal < end(); ordinal++) {
        const row = page?.row(ordinal % PAGE_ROWS)
        if (row !== undefined) yield row
      }
    }
  }

  *ordinals(): Generator<number> {
    for (const [number, page] of this.#pages.entries()) {
      for (let slot = 0; slot < (page?.length ?? 0); slot++) if (page?.has(slot)) yield number * PAGE_ROWS + slot
    }
  }

  /** Yields for each page the ordinals of rows whose string field has one of the hashes. No row is parsed. */
  *ordinalsWith(field: string, hashes: ReadonlySet<number>): Generator<readonly number[]> {
    for (let number = this.#first; number < this.#pages.length; number++) {
      const page = this.#pages[number]
      const found: number[] = []
      for (let slot = 0; slot < (page?.length ?? 0); slot++) {
        const hash = page?.hash(slot, field)
        if (hash !== undefined && hashes.has(hash)) found.push(number * PAGE_ROWS + slot)
      }
      yield found
    }
  }

  /** Yields the JSON of each row, as text or bytes, in the order of ordinals. */
  *lines(): Generator<string | Buffer> {
    for (const page of this.#pages) {
      for (let slot = 0; slot < (page?.length ?? 0); slot++) {
        const line = page?.line(slot)
        if (line !== undefined) yield line
      }
    }
  }

  /** Returns the page of an ordinal for a change. A missing page is created, and a shared page is copied. */
  writablePage(ordinal: number): Page {
    const number = Math.floor(ordinal / PAGE_ROWS)
    while (this.#pages.length <= number) this.#pages.push(undefined)
    if (number < this.#first) this.#first = number
    const existing = this.#pages[number]
    if (existing?.owner === this.#owner) return existing
    const page = existing === undefined ? new Page(this.#compressor, this.#owner) : existing.copy(this.#owner)
    this.#pages[number] = page
    return page
  }

  remove(ordinal: number): void {
    const number = Math.floor(ordinal / PAGE_ROWS)
    if (this.#pages[number] === undefined) return
    const page = this.writablePage(ordinal)
    page.clear(ordinal % PAGE_ROWS)
    if (page.live === 0) this.#pages[number] = undefined
    while (this.#first < this.#pages.length && this.#pages[this.#first] === undefined) this.#first++
  }

  /** Returns the current rows as an object that shares the pages. This takes constant time per page. */
  snapshot(): TablePages {
    this.#owner = {}
    return new TablePages(this.#compressor, [...this.#pages], this.#first)
  }
}
