import { OrdinalSegment } from './ordinal-segment.ts'

/**
 * An index from the hash of a string, such as an id, to ordinals of rows. Hashes may collide, so the caller compares
 * the string in the row. The index uses extendible hashing in arrays of numbers. A lookup costs one or two cache misses
 * at any size, growing is never slow, and the garbage collector has nothing to scan.
 */
export class OrdinalIndex {
  /** The segments by the first `depth` bits of a hash. Several entries may be the same segment. */
  #segments = [new OrdinalSegment(0)]
  #depth = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns the first place with the hash, or the next one after `after`, or -1 if there are no more. */
  seek(hash: number, after?: number): number {
    return this.#segment(hash).seek(hash, after)
  }

  /** Returns the ordinal at a place that `seek` returned. */
  ordinal(hash: number, place: number): number {
    return this.#segment(hash).ordinal(place)
  }

  /** @throws RangeError if the ordinal is not below {@link MAX_ORDINALS} */
  add(hash: number, ordinal: number): void {
    if (ordinal >= MAX_ORDINALS)
      throw new RangeError(`a table can contain at most ${MAX_ORDINALS} rows, including deleted ones`)
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

  /** Returns the first `#depth` bits of the hash. It shifts twice, because a shift by 32 is a no-op. */
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

/** All ordinals are below this number. */
export const MAX_ORDINALS = 2 ** 32 - 1
