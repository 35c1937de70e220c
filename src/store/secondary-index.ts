import { IdIndex } from './id-index.ts'

/** From the value of a field to the ordinals of the rows that have it, oldest first. */
export class SecondaryIndex {
  readonly field: string
  readonly #entries = new IdIndex<number | number[]>()

  constructor(field: string) {
    this.field = field
  }

  find(key: string): readonly number[] {
    const entry = this.#entries.get(key)
    if (entry === undefined) return []
    return typeof entry === 'number' ? [entry] : entry
  }

  add(key: string, ordinal: number): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) this.#entries.set(key, ordinal)
    else if (typeof entry === 'number') this.#entries.set(key, entry < ordinal ? [entry, ordinal] : [ordinal, entry])
    else entry.splice(after(entry, ordinal), 0, ordinal)
  }

  remove(key: string, ordinal: number): void {
    const entry = this.#entries.get(key)
    if (entry === ordinal) this.#entries.delete(key)
    if (!Array.isArray(entry)) return
    const at = entry.lastIndexOf(ordinal)
    if (at >= 0) entry.splice(at, 1)
    if (entry.length === 1) this.#entries.set(key, entry[0] as number)
  }
}

function after(sorted: readonly number[], ordinal: number): number {
  let at = sorted.length
  while (at > 0 && (sorted[at - 1] as number) > ordinal) at--
  return at
}
