import { INDEXES, type TableName } from '../../engine/tables.ts'
import { parseLine } from '../pages/block.ts'
import { COMPRESSION, Compressor } from '../pages/compressor.ts'
import { fieldHash } from '../pages/json-field.ts'
import { PAGE_ROWS, type Page } from '../pages/page.ts'
import { FieldIndex, keyOf } from './field-index.ts'
import { textHash } from './murmur-hash.ts'
import { OrdinalIndex } from './ordinal-index.ts'
import type { Row } from './row.ts'
import { TablePages } from './table-pages.ts'

/** The offsets of a row in the text of its page. */
interface LinePlace {
  readonly start: number
  readonly end: number
}

/**
 * The rows of a table in memory, by id, by indexed field and in the order of insertion. In memory the ordinal of a row
 * never changes, and `ordinal / 1024`, rounded down, is the number of its page file. A page with long rows is full
 * before it has 1,024 rows, and its last ordinals stay free.
 */
export class Table {
  readonly name: TableName
  /** The ordinal of the next new row. */
  next = 0
  readonly #ids = new OrdinalIndex()
  readonly #indexes = new Map<string, FieldIndex>()
  readonly #compressor: Compressor | undefined
  #pages: TablePages
  /** The id that was found last, because a request looks for the same rows repeatedly. */
  #lastId = ''
  #lastOrdinal = -1

  constructor(name: TableName) {
    this.name = name
    const policy = COMPRESSION[name]
    this.#compressor = policy === undefined ? undefined : new Compressor(policy)
    this.#pages = new TablePages(this.#compressor)
    const indexes: { readonly [index: string]: string } = INDEXES[name as keyof typeof INDEXES] ?? {}
    for (const [index, field] of Object.entries(indexes)) this.#indexes.set(index, new FieldIndex(field))
  }

  get size(): number {
    return this.#ids.size
  }

  ordinal(id: string): number | undefined {
    const ordinal = this.#find(id, textHash(id))
    return ordinal < 0 ? undefined : ordinal
  }

  /** Returns false if no id has this hash. */
  mayHaveId(hash: number): boolean {
    return this.#ids.seek(hash) >= 0
  }

  get(id: string): Row | undefined {
    const ordinal = this.#ordinalOf(id)
    return ordinal < 0 ? undefined : this.at(ordinal)
  }

  at(ordinal: number): Row | undefined {
    return this.#pages.at(ordinal)
  }

  find(index: string, key: string): Row[] {
    const fieldIndex = this.#indexes.get(index) as FieldIndex
    const rows: Row[] = []
    for (const ordinal of fieldIndex.candidates(key)) {
      const row = this.at(ordinal) as Row
      if (keyOf(row, fieldIndex.field) === key) rows.push(row)
    }
    return rows
  }

  rows(order: 'oldest' | 'newest'): Generator<Row> {
    return order === 'oldest' ? this.#pages.rows() : this.#pages.rowsBefore(this.next)
  }

  rowsAfter(id: string | undefined): Generator<Row> {
    const known = id === undefined ? undefined : this.ordinal(id)
    return this.#pages.rowsFrom(known === undefined ? this.#pages.start : known + 1, () => this.next)
  }

  rowsBefore(id: string): Generator<Row> {
    return this.#pages.rowsBefore(this.ordinal(id) ?? this.next)
  }

  *rowsWith(field: string, values: readonly string[]): Generator<Row> {
    for (const rows of this.pagesWith(field, values)) yield* rows
  }

  /** Yields the matching rows of each page. A row that is text is parsed only if its hash matches. */
  *pagesWith(field: string, values: readonly string[]): Generator<readonly Row[]> {
    for (const ordinals of this.#pages.ordinalsWith(field, new Set(values.map(textHash)))) {
      const rows = ordinals.map((ordinal) => this.at(ordinal))
      yield rows.filter((row) => row !== undefined && values.includes(keyOf(row, field) ?? '')) as Row[]
    }
  }

  /** Returns the current rows. Later changes do not affect them. */
  snapshot(): TablePages {
    return this.#pages.snapshot()
  }

  /** Replaces the row with the same id, or appends the row. */
  put(row: Row): { ordinal: number; before: Row | undefined } {
    const hash = textHash(row.id)
    const known = this.#find(row.id, hash)
    if (known < 0) {
      const ordinal = this.#nextOrdinal()
      this.#insertAt(ordinal, hash, row)
      return { ordinal, before: undefined }
    }
    const before = this.at(known) as Row
    for (const index of this.#indexes.values()) index.replace(before, row, known)
    this.#pages.writablePage(known).set(known % PAGE_ROWS, row)
    return { ordinal: known, before }
  }

  #nextOrdinal(): number {
    const number = Math.floor(this.next / PAGE_ROWS)
    return this.#pages.page(number)?.isFull === true ? (number + 1) * PAGE_ROWS : this.next
  }

  /** Fills an empty table with the rows of another one, whose pages it shares. Yields each ordinal, for pauses. */
  *share(rows: TablePages): Generator<number> {
    this.#pages = rows.snapshot()
    for (const ordinal of this.#pages.ordinals()) {
      this.#ids.add(this.#hashAt(ordinal, 'id') ?? 0, ordinal)
      for (const index of this.#indexes.values()) index.addHash(this.#hashAt(ordinal, index.field), ordinal)
      yield ordinal
    }
    this.next = this.#pages.length * PAGE_ROWS
  }

  #hashAt(ordinal: number, field: string): number | undefined {
    return this.#pages.page(Math.floor(ordinal / PAGE_ROWS))?.hash(ordinal % PAGE_ROWS, field)
  }

  /** Inserts a new row at a free ordinal. */
  insert(ordinal: number, row: Row): void {
    this.#insertAt(ordinal, textHash(row.id), row)
  }

  /**
   * Like {@link insert}, for a row of a page file. If the table is compressed, the row stays text.
   * @param text the page file, as given to {@link addPage}
   */
  insertLine(ordinal: number, idHash: number, text: Buffer, { start, end }: LinePlace): void {
    if (this.#compressor === undefined) {
      this.#insertAt(ordinal, idHash, parseLine(text, start))
      return
    }
    this.#ids.add(idHash, ordinal)
    for (const index of this.#indexes.values()) index.addHash(fieldHash(text, start, end, index.field), ordinal)
    this.#pages.writablePage(ordinal).setLine(ordinal % PAGE_ROWS, start, end - start)
    if (ordinal >= this.next) this.next = ordinal + 1
  }

  #insertAt(ordinal: number, idHash: number, row: Row): void {
    this.#ids.add(idHash, ordinal)
    for (const index of this.#indexes.values()) index.add(row, ordinal)
    this.#pages.writablePage(ordinal).set(ordinal % PAGE_ROWS, row)
    if (ordinal >= this.next) this.next = ordinal + 1
  }

  /** Removes a row. Its ordinal is not used again until the next start. */
  remove(id: string): { ordinal: number; before: Row } | undefined {
    const hash = textHash(id)
    const ordinal = this.#find(id, hash)
    if (ordinal < 0) return undefined
    const before = this.at(ordinal) as Row
    for (const index of this.#indexes.values()) index.remove(before, ordinal)
    this.#ids.remove(hash, ordinal)
    this.#pages.remove(ordinal)
    return { ordinal, before }
  }

  /** Like {@link #find}, but caches the last id. */
  #ordinalOf(id: string): number {
    if (id === this.#lastId && this.at(this.#lastOrdinal)?.id === id) return this.#lastOrdinal
    const ordinal = this.#find(id, textHash(id))
    this.#lastId = id
    this.#lastOrdinal = ordinal
    return ordinal
  }

  /** Returns the ordinal, or -1 if no row has the id. */
  #find(id: string, hash: number): number {
    for (let place = this.#ids.seek(hash); place >= 0; place = this.#ids.seek(hash, place)) {
      const ordinal = this.#ids.ordinal(hash, place)
      if (this.at(ordinal)?.id === id) return ordinal
    }
    return -1
  }

  /**
   * Adds the page of a file. The caller then adds its rows.
   * @param text the file, if the rows are added with {@link insertLine}
   */
  addPage(number: number, seq: number, text?: Buffer): Page {
    const page = this.#pages.writablePage(number * PAGE_ROWS)
    page.seq = seq
    if (text !== undefined && this.#compressor !== undefined) page.startLoading(text)
    return page
  }

  stopCompression(): void {
    this.#compressor?.stop()
  }

  /** Returns the table after line `seq` cleared it. Pages whose file is newer than the line keep their rows. */
  clearedAt(seq: number): Table {
    const cleared = new Table(this.name)
    for (let number = 0; number < this.#pages.length; number++) {
      const page = this.#pages.page(number)
      if (page === undefined || page.seq < seq) continue
      cleared.addPage(number, page.seq)
      for (let slot = 0; slot < page.length; slot++) {
        const row = page.row(slot)
        if (row !== undefined) cleared.insert(number * PAGE_ROWS + slot, row)
      }
    }
    return cleared
  }

  page(number: number): Page | undefined {
    return this.#pages.page(number)
  }
}
