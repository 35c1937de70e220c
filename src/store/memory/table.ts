import { fieldOf } from '../../engine/row-field.ts'
import { INDEXES, type TableName } from '../../engine/tables.ts'
import { Packer } from '../pages/packer.ts'
import { PACKING } from '../pages/packing.ts'
import { PAGE_ROWS, Page } from '../pages/page.ts'
import { OrdinalIndex } from './ordinal-index.ts'
import type { Row } from './row.ts'
import { textHash } from './text-hash.ts'

interface FieldIndex {
  readonly field: string
  readonly ordinals: OrdinalIndex
}

/**
 * Rows of one kind in memory, by id, by indexed field and in the order of their first put. A row keeps its ordinal for
 * life, and `ordinal / 1024` is the number of its page file.
 */
export class Table {
  readonly name: TableName
  /** The ordinal of the next new row. */
  next = 0
  readonly #ids = new OrdinalIndex()
  readonly #indexes = new Map<string, FieldIndex>()
  readonly #pages: (Page | undefined)[] = []
  readonly #packer: Packer | undefined
  /** Pages before this one are empty. */
  #first = 0

  constructor(name: TableName) {
    this.name = name
    const packing = PACKING[name]
    this.#packer = packing === undefined ? undefined : new Packer(packing)
    const indexes: { readonly [index: string]: string } = INDEXES[name as keyof typeof INDEXES] ?? {}
    for (const [index, field] of Object.entries(indexes)) {
      this.#indexes.set(index, { field, ordinals: new OrdinalIndex() })
    }
  }

  get size(): number {
    return this.#ids.size
  }

  ordinal(id: string): number | undefined {
    const ordinal = this.#find(id, textHash(id))
    return ordinal < 0 ? undefined : ordinal
  }

  /** False: no row has an id with this hash. */
  mayHave(hash: number): boolean {
    return this.#ids.seek(hash) >= 0
  }

  get(id: string): Row | undefined {
    const ordinal = this.#find(id, textHash(id))
    return ordinal < 0 ? undefined : this.at(ordinal)
  }

  at(ordinal: number): Row | undefined {
    return this.#pages[Math.floor(ordinal / PAGE_ROWS)]?.row(ordinal % PAGE_ROWS)
  }

  find(index: string, key: string): Row[] {
    const { field, ordinals } = this.#indexes.get(index) as FieldIndex
    const hash = textHash(key)
    const found: number[] = []
    for (let place = ordinals.seek(hash); place >= 0; place = ordinals.seek(hash, place)) {
      found.push(ordinals.ordinal(hash, place))
    }
    found.sort((a, b) => a - b)
    return found.map((ordinal) => this.at(ordinal) as Row).filter((row) => keyOf(row, field) === key)
  }

  *rows(order: 'oldest' | 'newest'): Generator<Row> {
    const [from, step] = order === 'oldest' ? [this.#first, 1] : [this.#pages.length - 1, -1]
    for (let number = from; number >= this.#first && number < this.#pages.length; number += step) {
      const page = this.#pages[number]
      if (page === undefined) continue
      for (let i = 0; i < page.length; i++) {
        const row = page.row(order === 'oldest' ? i : page.length - 1 - i)
        if (row !== undefined) yield row
      }
    }
  }

  *rowsAfter(id: string | undefined): Generator<Row> {
    const from = ((id === undefined ? undefined : this.ordinal(id)) ?? this.#first * PAGE_ROWS - 1) + 1
    for (let ordinal = from; ordinal < this.next; ) {
      const page = this.#pages[Math.floor(ordinal / PAGE_ROWS)]
      const end = (Math.floor(ordinal / PAGE_ROWS) + 1) * PAGE_ROWS
      if (page === undefined || page.live === 0) ordinal = end
      for (; ordinal < end && ordinal < this.next; ordinal++) {
        const row = page?.row(ordinal % PAGE_ROWS)
        if (row !== undefined) yield row
      }
    }
  }

  /** Of rows that are text, only those are parsed that may be asked for. */
  *rowsWith(field: string, values: readonly string[]): Generator<Row> {
    const hashes = new Set(values.map(textHash))
    for (let number = this.#first; number < this.#pages.length; number++) {
      const page = this.#pages[number]
      for (let slot = 0; slot < (page?.length ?? 0); slot++) {
        const hash = page?.hash(slot, field)
        if (hash === undefined || !hashes.has(hash)) continue
        const row = page?.row(slot)
        if (row !== undefined && values.includes(keyOf(row, field) ?? '')) yield row
      }
    }
  }

  /** Puts a row where its id has one already, else at the end. */
  put(row: Row): { ordinal: number; before: Row | undefined } {
    const hash = textHash(row.id)
    const known = this.#find(row.id, hash)
    if (known < 0) {
      const ordinal = this.next
      this.#enter(ordinal, hash, row)
      return { ordinal, before: undefined }
    }
    const before = this.at(known) as Row
    for (const { field, ordinals } of this.#indexes.values()) {
      const [old, key] = [keyOf(before, field), keyOf(row, field)]
      if (old === key) continue
      if (old !== undefined) ordinals.remove(textHash(old), known)
      if (key !== undefined) ordinals.add(textHash(key), known)
    }
    this.#page(known).set(known % PAGE_ROWS, row)
    return { ordinal: known, before }
  }

  /** A new row at a free ordinal. */
  insert(ordinal: number, row: Row): void {
    this.#enter(ordinal, textHash(row.id), row)
  }

  /** As {@link insert}, for a row of which only its place in the page's text is known, and the hashes of its keys. */
  insertLine(ordinal: number, id: number, start: number, key: (field: string) => number | undefined): void {
    this.#ids.add(id, ordinal)
    for (const { field, ordinals } of this.#indexes.values()) {
      const hash = key(field)
      if (hash !== undefined) ordinals.add(hash, ordinal)
    }
    this.#page(ordinal).setLine(ordinal % PAGE_ROWS, start)
    if (ordinal >= this.next) this.next = ordinal + 1
  }

  #enter(ordinal: number, id: number, row: Row): void {
    this.#ids.add(id, ordinal)
    for (const { field, ordinals } of this.#indexes.values()) {
      const key = keyOf(row, field)
      if (key !== undefined) ordinals.add(textHash(key), ordinal)
    }
    this.#page(ordinal).set(ordinal % PAGE_ROWS, row)
    if (ordinal >= this.next) this.next = ordinal + 1
  }

  /** Takes a row out; its ordinal is not used again while the process lives. */
  remove(id: string): { ordinal: number; before: Row } | undefined {
    const hash = textHash(id)
    const ordinal = this.#find(id, hash)
    if (ordinal < 0) return undefined
    const before = this.at(ordinal) as Row
    for (const { field, ordinals } of this.#indexes.values()) {
      const key = keyOf(before, field)
      if (key !== undefined) ordinals.remove(textHash(key), ordinal)
    }
    this.#ids.remove(hash, ordinal)
    this.#vacate(ordinal)
    return { ordinal, before }
  }

  /** @returns -1 where no row has the id */
  #find(id: string, hash: number): number {
    for (let place = this.#ids.seek(hash); place >= 0; place = this.#ids.seek(hash, place)) {
      const ordinal = this.#ids.ordinal(hash, place)
      if (this.at(ordinal)?.id === id) return ordinal
    }
    return -1
  }

  /** A page that was read from a file; its rows follow. */
  adopt(number: number, seq: number): Page {
    const page = this.#page(number * PAGE_ROWS)
    page.seq = seq
    return page
  }

  /** Rows are no longer packed. */
  rest(): void {
    this.#packer?.stop()
  }

  /** What is left of the table by line `seq`, which empties it: the pages that are further on already. */
  emptied(seq: number): Table {
    const left = new Table(this.name)
    for (const [number, page] of this.#pages.entries()) {
      if (page === undefined || page.seq < seq) continue
      left.adopt(number, page.seq)
      for (let slot = 0; slot < page.length; slot++) {
        const row = page.row(slot)
        if (row !== undefined) left.insert(number * PAGE_ROWS + slot, row)
      }
    }
    return left
  }

  page(number: number): Page | undefined {
    return this.#pages[number]
  }

  #page(ordinal: number): Page {
    const number = Math.floor(ordinal / PAGE_ROWS)
    while (this.#pages.length <= number) this.#pages.push(undefined)
    if (number < this.#first) this.#first = number
    const page = this.#pages[number] ?? new Page(this.#packer)
    this.#pages[number] = page
    return page
  }

  #vacate(ordinal: number): void {
    const number = Math.floor(ordinal / PAGE_ROWS)
    const page = this.#pages[number]
    page?.clear(ordinal % PAGE_ROWS)
    if (page?.live === 0) this.#pages[number] = undefined
    while (this.#first < this.#pages.length && this.#pages[this.#first] === undefined) this.#first++
  }
}

function keyOf(row: Row, field: string): string | undefined {
  const value = fieldOf(row, field)
  return typeof value === 'string' ? value : undefined
}
