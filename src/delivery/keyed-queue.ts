// Spec 6.1: first attempts for one object leave in the order of its events. Retries wait for nobody. What a receiver
// missed leaves in the order of all its events.
import { Fifo } from './fifo.ts'

export interface KeyedQueue {
  /** Calls `start` when what entered this chain before has left it. */
  acquire(key: string, start: () => void): void
  release(key: string): void
  isBusy(key: string): boolean
}

export function createKeyedQueue(): KeyedQueue {
  /** A key with an entry is busy; what follows waits in it. Most chains never have a second member. */
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
