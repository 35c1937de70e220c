import type { ControlEntry } from './control-messages.ts'

/** The newest entries, each under an id: one more than the id before. */
export interface RingBuffer {
  add(entry: ControlEntry): void
  /** The entry of an id that is kept. */
  at(id: number): ControlEntry
  /** The oldest id that is kept. */
  oldest(): number
  /** The id of the next entry. */
  next(): number
  /** Where a reader goes on who has had everything up to the id; a text that is no id: at the next entry. */
  after(lastEventId: string | undefined): number
}

/**
 * @param first the first id
 * @param kept how many entries
 */
export function createRingBuffer(first: number, kept: number): RingBuffer {
  const ring: ControlEntry[] = []
  let next = first
  const oldest = () => next - ring.length

  return {
    add(entry) {
      // A circle: the entry of an id stands at the id's remainder, also before it is full.
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
      // An id of the future is of another folder or clock.
      if (id >= next) return Math.min(first - 1, oldest() - 1)
      return id === 0 ? first : id + 1
    },
  }
}
