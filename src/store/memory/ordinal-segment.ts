/** A segment of this size is split if possible, not doubled, so growing blocks the event loop for less than 1 ms. */
const MAX_PLACES = 16_384
/** So small that V8 keeps the array of a new segment in its heap, because a process may open many sandboxes. */
const MIN_PLACES = 8

/**
 * A part of an `OrdinalIndex`: the ordinals of all hashes that begin with the same `depth` bits. It is a hash table
 * with open addressing. Each place is a pair of numbers in one array.
 */
export class OrdinalSegment {
  readonly depth: number
  /** For each place the hash and the ordinal plus one. 0 marks a free place. */
  #pairs = new Uint32Array(2 * MIN_PLACES)
  #places = MIN_PLACES
  #shift = Math.clz32(MIN_PLACES - 1)
  #size = 0

  constructor(depth: number) {
    this.depth = depth
  }

  /** Returns the first place with the hash, or the next one after `after`, or -1 if there are no more. */
  seek(hash: number, after?: number): number {
    const pairs = this.#pairs
    const last = this.#places - 1
    for (let at = after === undefined ? this.#home(hash) : (after + 1) & last; ; at = (at + 1) & last) {
      if (pairs[2 * at + 1] === 0) return -1
      if (pairs[2 * at] === hash) return at
    }
  }

  ordinal(place: number): number {
    return (this.#pairs[2 * place + 1] as number) - 1
  }

  /**
   * Returns whether another ordinal can be added. True while the load is below 60 %. One more entry may raise it to
   * 62.5 %.
   */
  hasRoom(): boolean {
    return 5 * this.#size < 3 * this.#places
  }

  add(hash: number, ordinal: number): void {
    const pairs = this.#pairs
    const last = this.#places - 1
    let at = this.#home(hash)
    while (pairs[2 * at + 1] !== 0) at = (at + 1) & last
    pairs[2 * at] = hash
    pairs[2 * at + 1] = ordinal + 1
    this.#size++
  }

  /** Frees a place. Later entries whose search passes this place move up, so that `seek` does not stop too early. */
  remove(place: number): void {
    const pairs = this.#pairs
    const last = this.#places - 1
    let hole = place
    for (let at = (hole + 1) & last; pairs[2 * at + 1] !== 0; at = (at + 1) & last) {
      const home = this.#home(pairs[2 * at] as number)
      if (((at - home) & last) < ((at - hole) & last)) continue
      pairs[2 * hole] = pairs[2 * at] as number
      pairs[2 * hole + 1] = pairs[2 * at + 1] as number
      hole = at
    }
    pairs[2 * hole + 1] = 0
    this.#size--
  }

  /** Doubles the number of places. A large segment returns two replacements, split by the next bit of the hash. */
  grow(): readonly [OrdinalSegment, OrdinalSegment] | undefined {
    const halves = this.#places < MAX_PLACES ? undefined : this.#halves()
    if (halves === undefined) this.#refill(2 * this.#places)
    return halves
  }

  /** Returns `undefined` if one half would be nearly empty, because many strings have the same hash. */
  #halves(): [OrdinalSegment, OrdinalSegment] | undefined {
    const halves: [OrdinalSegment, OrdinalSegment] = [this.#half(), this.#half()]
    for (let i = 0; i < this.#pairs.length; i += 2) {
      const [hash, mark] = [this.#pairs[i] as number, this.#pairs[i + 1] as number]
      if (mark !== 0) halves[(hash << this.depth) >>> 31 === 0 ? 0 : 1].add(hash, mark - 1)
    }
    return Math.min(halves[0].#size, halves[1].#size) < this.#size / 8 ? undefined : halves
  }

  #half(): OrdinalSegment {
    const half = new OrdinalSegment(this.depth + 1)
    half.#clear(this.#places)
    return half
  }

  #refill(places: number): void {
    const old = this.#pairs
    this.#clear(places)
    for (let i = 0; i < old.length; i += 2) {
      const mark = old[i + 1] as number
      if (mark !== 0) this.add(old[i] as number, mark - 1)
    }
  }

  #clear(places: number): void {
    this.#pairs = new Uint32Array(2 * places)
    this.#places = places
    this.#shift = Math.clz32(places - 1)
    this.#size = 0
  }

  /** Returns the place at which the search for a hash begins. */
  #home(hash: number): number {
    return (hash << this.depth) >>> this.#shift
  }
}
