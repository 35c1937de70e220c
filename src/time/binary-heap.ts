/** So small that V8 keeps the arrays in its heap, because a process may open many sandboxes. */
const FIRST_CAPACITY = 8

/** Orders slots by (`due`, `seq`). A slot is a small number, and is in the heap at most once. */
export interface BinaryHeap {
  readonly size: number
  /** O(log n). */
  add(slot: number, due: number, seq: number): void
  first(): number | undefined
  /** Removes a slot, which must be in the heap. O(log n). */
  remove(slot: number): void
}

/**
 * A binary heap that tracks the position of each entry, so any entry can be removed in O(log n). Most expiries are
 * removed long before they are due, and would otherwise fill the heap.
 */
export function createBinaryHeap(): BinaryHeap {
  // Indexed by slot.
  let dues = new Float64Array(FIRST_CAPACITY)
  let seqs = new Float64Array(FIRST_CAPACITY)
  let positions = new Uint32Array(FIRST_CAPACITY)
  // Indexed by position in the heap.
  let heap = new Uint32Array(FIRST_CAPACITY)
  let size = 0

  function isBefore(a: number, b: number): boolean {
    const dueA = dues[a] as number
    const dueB = dues[b] as number
    return dueA < dueB || (dueA === dueB && (seqs[a] as number) < (seqs[b] as number))
  }

  function put(position: number, slot: number): void {
    heap[position] = slot
    positions[slot] = position
  }

  function rise(from: number, slot: number): void {
    let position = from
    while (position > 0) {
      const up = (position - 1) >> 1
      const parent = heap[up] as number
      if (!isBefore(slot, parent)) break
      put(position, parent)
      position = up
    }
    put(position, slot)
  }

  function sink(from: number, slot: number): void {
    let position = from
    for (;;) {
      let down = 2 * position + 1
      if (down >= size) break
      if (down + 1 < size && isBefore(heap[down + 1] as number, heap[down] as number)) down++
      const child = heap[down] as number
      if (!isBefore(child, slot)) break
      put(position, child)
      position = down
    }
    put(position, slot)
  }

  function grow(): void {
    const capacity = dues.length * 2
    dues = wider(dues, new Float64Array(capacity))
    seqs = wider(seqs, new Float64Array(capacity))
    positions = wider(positions, new Uint32Array(capacity))
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
      const position = positions[slot] as number
      size--
      if (position === size) return
      const last = heap[size] as number
      sink(position, last)
      if (positions[last] === position) rise(position, last)
    },
  }
}

function wider<A extends Float64Array | Uint32Array>(old: A, next: A): A {
  next.set(old)
  return next
}
