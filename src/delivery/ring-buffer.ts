import { type BatchSize, isFull } from '../engine/batch-size.ts'
import { type ControlEntry, entrySize } from './control-messages.ts'

/** The newest entries, with consecutive ids. */
export interface RingBuffer {
  add(entry: ControlEntry): void
  at(id: number): ControlEntry
  /** Returns the oldest stored id. */
  oldest(): number
  /** Returns the id of the next entry. */
  next(): number
  /**
   * Returns the position of a reader that has received everything up to the id. With the id 0 this is the first entry,
   * and with an invalid id the next entry. With an id that is not assigned yet, it is before the first entry.
   */
  after(lastEventId: string | undefined): number
}

/**
 * @param first the first id
 * @param limit the limits of what is stored; a single entry may be larger
 */
export function createRingBuffer(first: number, limit: BatchSize): RingBuffer {
  /** The index of an entry is its id minus `first`, modulo the size. */
  const ring: (ControlEntry | undefined)[] = []
  const sizes: number[] = []
  let [oldest, next, bytes] = [first, first, 0]
  const indexOf = (id: number) => (id - first) % limit.rows

  function drop(): void {
    const index = indexOf(oldest++)
    bytes -= sizes[index] ?? 0
    ring[index] = undefined
  }

  return {
    add(entry) {
      const size = entrySize(entry)
      while (next > oldest && isFull({ rows: next - oldest, bytes: bytes + size }, limit)) drop()
      const index = indexOf(next++)
      ring[index] = entry
      sizes[index] = size
      bytes += size
    },
    at: (id) => ring[indexOf(id)] as ControlEntry,
    oldest: () => oldest,
    next: () => next,
    after(lastEventId) {
      const id = lastEventId === undefined || lastEventId === '' ? Number.NaN : Number(lastEventId)
      if (!Number.isSafeInteger(id)) return next
      // An id that is not assigned yet comes from another data directory or clock. The reader then gets a `gap`.
      if (id >= next) return first - 1
      return id === 0 ? first : id + 1
    },
  }
}
