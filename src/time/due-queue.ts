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

/** Each timer has a slot: its object's id leads there, and the heap orders the slots. */
export function createDueQueue(isExpiry: (kind: TimerKind) => boolean): DueQueue {
  const slots = createSlotIndex()
  const heap = createSlotHeap()
  let timers: (Timer | undefined)[] = []
  let free: number[] = []
  let busy = 0

  function find(objectId: string, id: string): number | undefined {
    return slots.find(objectId, (slot) => timers[slot]?.id === id)
  }

  function drop(slot: number): Timer {
    const timer = timers[slot] as Timer
    timers[slot] = undefined
    slots.remove(timer.object_id, slot)
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
      const known = find(timer.object_id, timer.id)
      if (known !== undefined) drop(known)
      const slot = free.pop() ?? timers.length
      timers[slot] = timer
      slots.add(timer.object_id, slot)
      if (!isExpiry(timer.kind)) busy++
      heap.add(slot, timer.due, timer.seq)
    },
    remove(id) {
      const slot = find(id.slice(id.indexOf(':') + 1), id)
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
