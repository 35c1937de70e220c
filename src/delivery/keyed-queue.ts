// Spec 6.1: first attempts for one object are sent in the order of its events. Retries are not ordered. A receiver's
// backlog is sent in the order of all its events.
import { Fifo } from './fifo.ts'

export interface KeyedQueue {
  /** Calls `start` when all earlier entries of the key are released. */
  acquire(key: string, start: () => void): void
  release(key: string): void
  isBusy(key: string): boolean
}

export function createKeyedQueue(): KeyedQueue {
  /** Keys with an active entry, and the entries that wait behind it. Most keys never have a second entry. */
  const busy = new Map<string, Fifo<() => void> | null>()
  return {
    acquire(key, start) {
      const waiting = busy.get(key)
      if (waiting === undefined) {
        busy.set(key, null)
        start()
      } else if (waiting === null) {
        const line = new Fifo<() => void>()
        line.push(start)
        busy.set(key, line)
      } else waiting.push(start)
    },
    release(key) {
      const next = busy.get(key)?.shift()
      if (next === undefined) busy.delete(key)
      else next()
    },
    isBusy: (key) => busy.has(key),
  }
}
