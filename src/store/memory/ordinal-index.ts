import { OrdinalSegment } from './ordinal-segment.ts'

/**
 * From the hash of a text to the ordinals of rows that may have it: the row itself tells whether it does. Extendible
 * hashing over arrays of numbers: a look costs one or two misses of the processor's cache at any size, growing never
 * takes long, and the garbage collector has nothing to look at.
 */
export class OrdinalIndex {
  /** By the first `depth` bits of a hash; one segment may stand for several. */
  #segments = [new OrdinalSegment(0)]
  #depth = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns the next place that holds the hash, from the first, or after the one given; -1: there is none */
  seek(hash: number, after?: number): number {
    return this.#segment(hash).seek(hash, after)
  }

  /** The ordinal at a place that `seek` gave for the hash. */
  ordinal(hash: number, place: number): number {
    return this.#segment(hash).ordinal(place)
  }

  /** @throws RangeError for an ordinal beyond {@link MAX_ORDINALS} */
  add(hash: number, ordinal: number): void {
    if (ordinal >= MAX_ORDINALS) throw new RangeError(`a table holds ${MAX_ORDINALS} rows in its life at most`)
    let segment = this.#segment(hash)
    while (!segment.hasRoom()) {
      const halves = segment.grow()
      if (halves !== undefined) this.#replace(hash, segment, halves)
      segment = this.#segment(hash)
    }
    segment.add(hash, ordinal)
    this.#size++
  }

  remove(hash: number, ordinal: number): void {
    const segment = this.#segment(hash)
    let place = segment.seek(hash)
    while (place >= 0 && segment.ordinal(place) !== ordinal) place = segment.seek(hash, place)
    if (place < 0) return
    segment.remove(place)
    this.#size--
  }

  #segment(hash: number): OrdinalSegment {
    return this.#segments[this.#number(hash)] as OrdinalSegment
  }

  /** Its first bits; by two steps, since a shift by 32 does nothing. */
  #number(hash: number): number {
    return (hash >>> 1) >>> (31 - this.#depth)
  }

  #replace(hash: number, segment: OrdinalSegment, halves: readonly [OrdinalSegment, OrdinalSegment]): void {
    if (segment.depth === this.#depth) {
      this.#segments = this.#segments.flatMap((each) => [each, each])
      this.#depth++
    }
    const half = 2 ** (this.#depth - segment.depth - 1)
    const first = this.#number(hash) & ~(2 * half - 1)
    this.#segments.fill(halves[0], first, first + half)
    this.#segments.fill(halves[1], first + half, first + 2 * half)
  }
}

/** Ordinals from 0 to below this. */
export const MAX_ORDINALS = 2 ** 32 - 1
