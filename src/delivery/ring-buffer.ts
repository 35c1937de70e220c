import type { ControlEntry } from './control-messages.ts'

/** The newest entries, with consecutive ids. */
export interface RingBuffer {
  add(entry: ControlEntry): void
  /** Returns a stored entry by its id. */
  at(id: number): ControlEntry
  /** Returns the oldest stored id. */
  oldest(): number
  /** Returns the id of the next entry. */
  next(): number
  /** Returns the position of a reader that has received everything up to the id. An invalid id means the next entry. */
  after(lastEventId: string | undefined): number
}

/**
 * @param first the first id
 * @param kept the number of stored entries
 */
export function createRingBuffer(first: number, kept: number): RingBuffer {
  const ring: ControlEntry[] = []
  let next = first
  const oldest = () => next - ring.length

  return {
    add(entry) {
      // The index of an entry is its id modulo the size, also before the buffer is full.
      if (ring.length < kept) ring.push(entry)
      else ring[(next - first) % kept] = entry
      next++
    },
    at: (id) => ring[(id - first) % kept] as ControlEntry,
    oldest,
    next: () => next,
    after(lastEventId) {
      const id = lastEventId === undefined || lastEventId === '' ? Number.NaN : Number(lastEventId)
      if (!Number.isSafeInteger(id)) return next
      // An id of the future comes from another data directory or clock.
      if (id >= next) return Math.min(first - 1, oldest() - 1)
      return id === 0 ? first : id + 1
    },
  }
}
