import type { Timer, TimerKind } from '../engine/tables.ts'
import { createSlotHeap } from './slot-heap.ts'
import { createSlotIndex } from './slot-index.ts'

export interface DueQueue {
  readonly size: number
  /** Timers that are no expiries: what keeps the sandbox busy. */
  readonly busy: number
  /** Adds a timer; one with the same id is replaced. O(log n). */
  put(timer: Timer): void
  /** Removes a timer; an unknown id is no fault. O(log n). */
  remove(id: string): void
  /** The first timer in the order of (`due`, `seq`). */
  peek(): Timer | undefined
  /** Takes the first timer out. */
  pop(): Timer | undefined
  clear(): void
}

/** Each timer has a slot: its id leads there, and the heap orders the slots. */
export function createDueQueue(isExpiry: (kind: TimerKind) => boolean): DueQueue {
  const slots = createSlotIndex()
  const heap = createSlotHeap()
  let timers: (Timer | undefined)[] = []
  let free: number[] = []
  let busy = 0

  function drop(slot: number): Timer {
    const timer = timers[slot] as Timer
    timers[slot] = undefined
    slots.delete(timer.id)
    free.push(slot)
    if (!isExpiry(timer.kind)) busy--
    heap.remove(slot)
    return timer
  }

  return {
    get size() {
      return heap.size
    },
    get busy() {
      return busy
    },
    put(timer) {
      const known = slots.get(timer.id)
      if (known !== undefined) drop(known)
      const slot = free.pop() ?? timers.length
      timers[slot] = timer
      slots.set(timer.id, slot)
      if (!isExpiry(timer.kind)) busy++
      heap.add(slot, timer.due, timer.seq)
    },
    remove(id) {
      const slot = slots.get(id)
      if (slot !== undefined) drop(slot)
    },
    peek() {
      const slot = heap.first()
      return slot === undefined ? undefined : timers[slot]
    },
    pop() {
      const slot = heap.first()
      return slot === undefined ? undefined : drop(slot)
    },
    clear() {
      slots.clear()
      heap.clear()
      timers = []
      free = []
      busy = 0
    },
  }
}
