import type { Timer, TimerKind } from '../engine/tables.ts'
import { createSlotHeap } from './slot-heap.ts'
import { createSlotIndex } from './slot-index.ts'

export interface DueQueue {
  readonly size: number
  /** Timers that are no expiries: what keeps the sandbox busy. */
  readonly busy: number
  /**
   * Adds a timer; one with the same id is replaced. O(log n).
   * @param isBusy default: whether it is no expiry
   */
  put(timer: Timer, isBusy?: boolean): void
  /** Removes a timer; an unknown id is no fault. O(log n). */
  remove(id: string): void
  /** Removes all timers of an object. @returns whether there were any */
  drop(objectId: string): boolean
  /** The first timer in the order of (`due`, `seq`). */
  peek(): Timer | undefined
  /** The first `limit` timers that keep the sandbox busy, in order. O(n). */
  firstBusy(limit: number): readonly Timer[]
  /** Takes the first timer out. */
  pop(): Timer | undefined
  clear(): void
}

/** Each timer has a slot: its object's id leads there, and the heap orders the slots. */
export function createDueQueue(isExpiry: (kind: TimerKind) => boolean): DueQueue {
  const slots = createSlotIndex()
  const heap = createSlotHeap()
  let timers: (Timer | undefined)[] = []
  // By slot.
  let busySlots: boolean[] = []
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
    if (busySlots[slot]) busy--
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
    put(timer, isBusy = !isExpiry(timer.kind)) {
      const known = find(timer.object_id, timer.id)
      if (known !== undefined) drop(known)
      const slot = free.pop() ?? timers.length
      timers[slot] = timer
      slots.add(timer.object_id, slot)
      busySlots[slot] = isBusy
      if (isBusy) busy++
      heap.add(slot, timer.due, timer.seq)
    },
    remove(id) {
      const slot = find(id.slice(id.indexOf(':') + 1), id)
      if (slot !== undefined) drop(slot)
    },
    drop(objectId) {
      const isIts = (slot: number) => timers[slot]?.object_id === objectId
      let slot = slots.find(objectId, isIts)
      const had = slot !== undefined
      for (; slot !== undefined; slot = slots.find(objectId, isIts)) drop(slot)
      return had
    },
    peek() {
      const slot = heap.first()
      return slot === undefined ? undefined : timers[slot]
    },
    pop() {
      const slot = heap.first()
      return slot === undefined ? undefined : drop(slot)
    },
    firstBusy(limit) {
      const first: Timer[] = []
      for (const [slot, timer] of timers.entries()) {
        if (timer === undefined || !busySlots[slot]) continue
        const last = first[limit - 1]
        if (last !== undefined && byDue(last, timer) < 0) continue
        first.push(timer)
        first.sort(byDue)
        first.length = Math.min(first.length, limit)
      }
      return first
    },
    clear() {
      slots.clear()
      heap.clear()
      timers = []
      busySlots = []
      free = []
      busy = 0
    },
  }
}

function byDue(a: Timer, b: Timer): number {
  return a.due - b.due || a.seq - b.seq
}
