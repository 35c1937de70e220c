import { fieldOf } from '../../engine/tables.ts'
import { textHash } from './murmur-hash.ts'
import { OrdinalIndex } from './ordinal-index.ts'
import type { Row } from './row.ts'

/** The ordinals of the rows of a table by the value of one field. Rows without a string in the field are not in it. */
export class FieldIndex {
  readonly field: string
  readonly #ordinals = new OrdinalIndex()

  constructor(field: string) {
    this.field = field
  }

  add(row: Row, ordinal: number): void {
    this.addHash(this.#hashOf(row), ordinal)
  }

  addHash(hash: number | undefined, ordinal: number): void {
    if (hash !== undefined) this.#ordinals.add(hash, ordinal)
  }

  remove(row: Row, ordinal: number): void {
    const hash = this.#hashOf(row)
    if (hash !== undefined) this.#ordinals.remove(hash, ordinal)
  }

  replace(before: Row, row: Row, ordinal: number): void {
    if (keyOf(before, this.field) === keyOf(row, this.field)) return
    this.remove(before, ordinal)
    this.add(row, ordinal)
  }

  /** Returns the ordinals with the hash of the key, in order of insertion. A row may have another key. */
  candidates(key: string): readonly number[] {
    const hash = textHash(key)
    let place = this.#ordinals.seek(hash)
    if (place < 0) return NONE
    const found: number[] = []
    for (; place >= 0; place = this.#ordinals.seek(hash, place)) found.push(this.#ordinals.ordinal(hash, place))
    return found.length > 1 ? found.sort((a, b) => a - b) : found
  }

  #hashOf(row: Row): number | undefined {
    const key = keyOf(row, this.field)
    return key === undefined ? undefined : textHash(key)
  }
}

const NONE: readonly number[] = []

export function keyOf(row: Row, field: string): string | undefined {
  const value = fieldOf(row, field)
  return typeof value === 'string' ? value : undefined
}
