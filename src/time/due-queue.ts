import type { Timer, TimerKind } from '../engine/tables.ts'

const FIRST_CAPACITY = 1024
const SHARDS = 256

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

/**
 * A binary heap whose entries know their place, so that a removed timer leaves at once: most expiries are removed long
 * before they are due and would fill a heap that only forgets at the top.
 */
export function createDueQueue(isExpiry: (kind: TimerKind) => boolean): DueQueue {
  const slots = createSlotIndex()
  // By slot.
  let timers: (Timer | undefined)[] = []
  let dues = new Float64Array(FIRST_CAPACITY)
  let seqs = new Float64Array(FIRST_CAPACITY)
  let places = new Uint32Array(FIRST_CAPACITY)
  // By place in the heap.
  let heap = new Uint32Array(FIRST_CAPACITY)
  let free: number[] = []
  let size = 0
  let busy = 0

  function before(a: number, b: number): boolean {
    const dueA = dues[a] as number
    const dueB = dues[b] as number
    return dueA < dueB || (dueA === dueB && (seqs[a] as number) < (seqs[b] as number))
  }

  function settle(place: number, slot: number): void {
    heap[place] = slot
    places[slot] = place
  }

  function rise(from: number, slot: number): void {
    let place = from
    while (place > 0) {
      const up = (place - 1) >> 1
      const parent = heap[up] as number
      if (!before(slot, parent)) break
      settle(place, parent)
      place = up
    }
    settle(place, slot)
  }

  function sink(from: number, slot: number): void {
    let place = from
    for (;;) {
      let down = 2 * place + 1
      if (down >= size) break
      if (down + 1 < size && before(heap[down + 1] as number, heap[down] as number)) down++
      const child = heap[down] as number
      if (!before(child, slot)) break
      settle(place, child)
      place = down
    }
    settle(place, slot)
  }

  function drop(slot: number): Timer {
    const timer = timers[slot] as Timer
    const place = places[slot] as number
    timers[slot] = undefined
    slots.delete(timer.id)
    free.push(slot)
    size--
    if (!isExpiry(timer.kind)) busy--
    if (place < size) {
      const last = heap[size] as number
      sink(place, last)
      if (places[last] === place) rise(place, last)
    }
    return timer
  }

  function grow(): void {
    const wider = <A extends Float64Array | Uint32Array>(old: A, next: A): A => {
      next.set(old)
      return next
    }
    const capacity = dues.length * 2
    dues = wider(dues, new Float64Array(capacity))
    seqs = wider(seqs, new Float64Array(capacity))
    places = wider(places, new Uint32Array(capacity))
    heap = wider(heap, new Uint32Array(capacity))
  }

  return {
    get size() {
      return size
    },
    get busy() {
      return busy
    },
    put(timer) {
      const known = slots.get(timer.id)
      if (known !== undefined) drop(known)
      const slot = free.pop() ?? timers.length
      if (slot === dues.length) grow()
      timers[slot] = timer
      dues[slot] = timer.due
      seqs[slot] = timer.seq
      slots.set(timer.id, slot)
      if (!isExpiry(timer.kind)) busy++
      rise(size++, slot)
    },
    remove(id) {
      const slot = slots.get(id)
      if (slot !== undefined) drop(slot)
    },
    peek: () => (size === 0 ? undefined : timers[heap[0] as number]),
    pop: () => (size === 0 ? undefined : drop(heap[0] as number)),
    clear() {
      slots.clear()
      timers = []
      free = []
      size = 0
      busy = 0
    },
  }
}

/** Timer id to slot. One Map would stop the event loop for 100 ms and more when it rehashes near a million entries. */
function createSlotIndex() {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>())
  const shard = (id: string) => shards[shardOf(id)] as Map<string, number>
  return {
    get: (id: string) => shard(id).get(id),
    set: (id: string, slot: number) => void shard(id).set(id, slot),
    delete: (id: string) => void shard(id).delete(id),
    clear() {
      for (const map of shards) map.clear()
    },
  }
}

/** The tail of a timer's id is the tail of a UUID: four characters tell enough. */
function shardOf(id: string): number {
  let sum = 0
  for (let i = Math.max(0, id.length - 4); i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) | 0
  return (sum ^ (sum >> 8)) & (SHARDS - 1)
}
