import type { TableName } from './tables.ts'

/** Above this number of rows a Map is used. */
const FEW = 16

/**
 * The rows of a draft in the order in which they were first set, one per table and id. Most drafts have few rows, so a
 * linear search is faster than building keys.
 */
export class RowList<R extends { readonly table: TableName }> {
  readonly rows: R[] = []
  readonly #idOf: (row: R) => string
  #places: Map<string, number> | undefined

  constructor(idOf: (row: R) => string) {
    this.#idOf = idOf
  }

  find(table: TableName, id: string): R | undefined {
    const place = this.#place(table, id)
    return place < 0 ? undefined : this.rows[place]
  }

  set(row: R): void {
    const id = this.#idOf(row)
    const place = this.#place(row.table, id)
    if (place >= 0) {
      this.rows[place] = row
      return
    }
    this.rows.push(row)
    if (this.#places !== undefined) this.#places.set(key(row.table, id), this.rows.length - 1)
    else if (this.rows.length > FEW) this.#index()
  }

  drop(table: TableName, id: string): void {
    if (this.rows.length === 0) return
    const place = this.#place(table, id)
    if (place < 0) return
    this.rows.splice(place, 1)
    if (this.#places !== undefined) this.#index()
  }

  #place(table: TableName, id: string): number {
    if (this.#places !== undefined) return this.#places.get(key(table, id)) ?? -1
    for (let i = 0; i < this.rows.length; i++) {
      const row = this.rows[i] as R
      if (row.table === table && this.#idOf(row) === id) return i
    }
    return -1
  }

  #index(): void {
    this.#places = new Map(this.rows.map((row, place) => [key(row.table, this.#idOf(row)), place]))
  }
}

function key(table: TableName, id: string): string {
  return `${table} ${id}`
}
