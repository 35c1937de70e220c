import { EXPIRY_TIMERS, type Timer } from '../engine/tables.ts'
import { type BinaryHeap, createBinaryHeap } from './binary-heap.ts'
import { createHashIndex, type HashIndex } from './hash-index.ts'

/** The armed timers, that is, those that wait for their due time. They are in the order in which they run. */
export interface DueQueue {
  readonly size: number
  /** The number of timers that keep the sandbox busy. */
  readonly busy: number
  /**
   * Adds a timer, or replaces the timer with the same id. O(log n).
   * @param isBusy whether the timer keeps the sandbox busy; default: unless it is an expiry
   */
  put(timer: Timer, isBusy?: boolean): void
  /** Removes a timer. An unknown id is ignored. O(log n). */
  remove(id: string): void
  /**
   * Removes all timers of an object.
   * @returns whether there were any
   */
  removeAll(objectId: string): boolean
  /** The first timer in the order of (`due`, `seq`). */
  peek(): Timer | undefined
  /** The first `limit` timers that match, in order. O(n log `limit`). */
  first(limit: number, wanted: (timer: Timer, isBusy: boolean) => boolean): readonly Timer[]
  pop(): Timer | undefined
  clear(): void
  /** Replaces the timers by those of `other`, which must not be used afterwards. O(1). */
  takeOver(other: DueQueue): void
  /** For {@link takeOver}. */
  readonly parts: QueueParts
}

interface QueueParts {
  readonly slots: HashIndex
  readonly heap: BinaryHeap
  readonly timers: (Timer | undefined)[]
  readonly busySlots: boolean[]
  readonly free: number[]
  busy: number
}

function emptyParts(): QueueParts {
  return { slots: createHashIndex(), heap: createBinaryHeap(), timers: [], busySlots: [], free: [], busy: 0 }
}

/** Each timer has a slot. The index finds slots by object id, and the heap orders them. */
export function createDueQueue(): DueQueue {
  let parts = emptyParts()

  function find(objectId: string, id: string): number | undefined {
    return parts.slots.find(objectId, (slot) => (parts.timers[slot] as Timer).id === id)
  }

  function drop(slot: number): Timer {
    const { slots, heap, timers, busySlots, free } = parts
    const timer = timers[slot] as Timer
    timers[slot] = undefined
    slots.remove(timer.object_id, slot)
    free.push(slot)
    if (busySlots[slot]) parts.busy--
    heap.remove(slot)
    return timer
  }

  return {
    get size() {
      return parts.heap.size
    },
    get busy() {
      return parts.busy
    },
    put(timer, isBusy = !EXPIRY_TIMERS.includes(timer.kind)) {
      const { slots, heap, timers, busySlots, free } = parts
      const known = find(timer.object_id, timer.id)
      if (known !== undefined) drop(known)
      const slot = free.pop() ?? timers.length
      timers[slot] = timer
      slots.add(timer.object_id, slot)
      busySlots[slot] = isBusy
      if (isBusy) parts.busy++
      heap.add(slot, timer.due, timer.seq)
    },
    remove(id) {
      const slot = find(id.slice(id.indexOf(':') + 1), id)
      if (slot !== undefined) drop(slot)
    },
    removeAll(objectId) {
      const belongsToObject = (slot: number) => (parts.timers[slot] as Timer).object_id === objectId
      let slot = parts.slots.find(objectId, belongsToObject)
      const had = slot !== undefined
      for (; slot !== undefined; slot = parts.slots.find(objectId, belongsToObject)) drop(slot)
      return had
    },
    peek() {
      const slot = parts.heap.first()
      return slot === undefined ? undefined : parts.timers[slot]
    },
    pop() {
      const slot = parts.heap.first()
      return slot === undefined ? undefined : drop(slot)
    },
    first(limit, wanted) {
      const first: Timer[] = []
      let last: Timer | undefined
      const keepFirst = () => {
        first.sort(byDue).splice(limit)
        last = first[limit - 1]
      }
      for (const [slot, timer] of parts.timers.entries()) {
        if (timer === undefined || !wanted(timer, parts.busySlots[slot] === true)) continue
        if (last !== undefined && byDue(last, timer) < 0) continue
        // Sorting after each timer would take too long.
        if (first.push(timer) >= 2 * limit) keepFirst()
      }
      keepFirst()
      return first
    },
    clear() {
      parts = emptyParts()
    },
    takeOver(other) {
      parts = other.parts
    },
    get parts() {
      return parts
    },
  }
}

function byDue(a: Timer, b: Timer): number {
  return a.due - b.due || a.seq - b.seq
}
