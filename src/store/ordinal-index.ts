/**
 * From the hash of a text to the ordinals of rows that may have it: the row itself tells whether it does. Numbers in one
 * array, so that a look costs one miss of the processor's cache at any size, and the garbage collector has nothing to
 * look at. The places are in the order of the hashes, so growing, too, goes through memory from one end to the other.
 */
export class OrdinalIndex {
  /** Pairs: a hash, and the ordinal plus one; 0 marks a free place. */
  #pairs = new Uint32Array(2 * SMALLEST)
  #places = SMALLEST
  /** A hash without its lower bits is the place it belongs to. */
  #shift = Math.clz32(SMALLEST - 1)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns the next place that holds the hash, from the first, or after the one given; -1: there is none */
  seek(hash: number, after?: number): number {
    const pairs = this.#pairs
    const last = this.#places - 1
    for (let at = after === undefined ? hash >>> this.#shift : (after + 1) & last; ; at = (at + 1) & last) {
      if (pairs[2 * at + 1] === 0) return -1
      if (pairs[2 * at] === hash) return at
    }
  }

  /** The ordinal at a place that `seek` gave. */
  ordinal(place: number): number {
    return (this.#pairs[2 * place + 1] as number) - 1
  }

  /** @throws RangeError for an ordinal beyond {@link MOST_ORDINALS} */
  add(hash: number, ordinal: number): void {
    if (ordinal >= MOST_ORDINALS) throw new RangeError(`a table holds ${MOST_ORDINALS} rows in its life at most`)
    if (5 * this.#size >= 3 * this.#places) this.#grow()
    this.#place(hash, ordinal + 1)
    this.#size++
  }

  remove(hash: number, ordinal: number): void {
    let place = this.seek(hash)
    while (place >= 0 && this.ordinal(place) !== ordinal) place = this.seek(hash, place)
    if (place < 0) return
    this.#size--
    this.#free(place)
  }

  #place(hash: number, mark: number): void {
    const pairs = this.#pairs
    const last = this.#places - 1
    let at = hash >>> this.#shift
    while (pairs[2 * at + 1] !== 0) at = (at + 1) & last
    pairs[2 * at] = hash
    pairs[2 * at + 1] = mark
  }

  /** Those behind that would rather stand here, or before, move up: no look may end too early. */
  #free(place: number): void {
    const pairs = this.#pairs
    const last = this.#places - 1
    let hole = place
    for (let at = (hole + 1) & last; pairs[2 * at + 1] !== 0; at = (at + 1) & last) {
      const home = (pairs[2 * at] as number) >>> this.#shift
      if (((at - home) & last) < ((at - hole) & last)) continue
      pairs[2 * hole] = pairs[2 * at] as number
      pairs[2 * hole + 1] = pairs[2 * at + 1] as number
      hole = at
    }
    pairs[2 * hole + 1] = 0
  }

  #grow(): void {
    const old = this.#pairs
    this.#places *= 2
    this.#shift--
    this.#pairs = new Uint32Array(2 * this.#places)
    for (let i = 0; i < old.length; i += 2) {
      const mark = old[i + 1] as number
      if (mark !== 0) this.#place(old[i] as number, mark)
    }
  }
}

/** Ordinals from 0 to below this. */
export const MOST_ORDINALS = 2 ** 32 - 1
const SMALLEST = 16
