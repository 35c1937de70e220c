const FIRST_CAPACITY = 1024

/** Slots (small numbers, each in it once at most) in the order of (`due`, `seq`). */
export interface BinaryHeap {
  readonly size: number
  /** O(log n). */
  add(slot: number, due: number, seq: number): void
  first(): number | undefined
  /** Takes out a slot that is in it. O(log n). */
  remove(slot: number): void
  clear(): void
}

/**
 * A binary heap whose entries know their place, so that one leaves at once from anywhere: most expiries are removed long
 * before they are due and would fill a heap that only forgets at the top.
 */
export function createBinaryHeap(): BinaryHeap {
  // By slot.
  let dues = new Float64Array(FIRST_CAPACITY)
  let seqs = new Float64Array(FIRST_CAPACITY)
  let places = new Uint32Array(FIRST_CAPACITY)
  // By place in the heap.
  let heap = new Uint32Array(FIRST_CAPACITY)
  let size = 0

  function before(a: number, b: number): boolean {
    const dueA = dues[a] as number
    const dueB = dues[b] as number
    return dueA < dueB || (dueA === dueB && (seqs[a] as number) < (seqs[b] as number))
  }

  function put(place: number, slot: number): void {
    heap[place] = slot
    places[slot] = place
  }

  function rise(from: number, slot: number): void {
    let place = from
    while (place > 0) {
      const up = (place - 1) >> 1
      const parent = heap[up] as number
      if (!before(slot, parent)) break
      put(place, parent)
      place = up
    }
    put(place, slot)
  }

  function sink(from: number, slot: number): void {
    let place = from
    for (;;) {
      let down = 2 * place + 1
      if (down >= size) break
      if (down + 1 < size && before(heap[down + 1] as number, heap[down] as number)) down++
      const child = heap[down] as number
      if (!before(child, slot)) break
      put(place, child)
      place = down
    }
    put(place, slot)
  }

  function grow(): void {
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
    add(slot, due, seq) {
      while (slot >= dues.length) grow()
      dues[slot] = due
      seqs[slot] = seq
      rise(size++, slot)
    },
    first: () => (size === 0 ? undefined : (heap[0] as number)),
    remove(slot) {
      const place = places[slot] as number
      size--
      if (place === size) return
      const last = heap[size] as number
      sink(place, last)
      if (places[last] === place) rise(place, last)
    },
    clear() {
      size = 0
    },
  }
}

function wider<A extends Float64Array | Uint32Array>(old: A, next: A): A {
  next.set(old)
  return next
}
