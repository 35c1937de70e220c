/** So small that V8 keeps the arrays in its heap, because a process may open many sandboxes. */
const FIRST_CAPACITY = 8
const NONE = 2 ** 32 - 1

/** Finds the slots of the timers of an object. `due-queue.ts` explains slots. */
export interface HashIndex {
  /** Returns a slot of the object for which `matches` is true. `matches` may get slots of other objects too. */
  find(objectId: string, matches: (slot: number) => boolean): number | undefined
  add(objectId: string, slot: number): void
  /** Removes a slot, which must be in the index. */
  remove(objectId: string, slot: number): void
}

/**
 * A hash table in typed arrays, which the garbage collector does not scan. A lookup in a Map of the ids takes three
 * times as long. The table grows by one bucket at a time. A Map with a million entries blocks the event loop for over
 * 100 ms when it rehashes.
 */
export function createHashIndex(): HashIndex {
  // Indexed by slot: the hash of its object's id, and the next slot of the bucket, or NONE.
  let hashes = new Uint32Array(FIRST_CAPACITY)
  let nexts = new Uint32Array(FIRST_CAPACITY)
  // Indexed by bucket: its first slot, or NONE.
  let firsts = new Uint32Array(FIRST_CAPACITY).fill(NONE)
  let size = 0
  /** Buckets below this index are already split, and use one more bit of the hash. */
  let split = 0
  /** The number of buckets at the start of the round of splits, a power of two. */
  let round = FIRST_CAPACITY / 2

  function bucketOf(hash: number): number {
    const bucket = hash & (round - 1)
    return bucket < split ? hash & (2 * round - 1) : bucket
  }

  function link(slot: number, bucket: number): void {
    nexts[slot] = firsts[bucket] as number
    firsts[bucket] = slot
  }

  /** Splits the next bucket: about half of its slots move to a new bucket. */
  function splitNext(): void {
    let slot = firsts[split] as number
    firsts[split] = NONE
    split++
    while (slot !== NONE) {
      const next = nexts[slot] as number
      link(slot, bucketOf(hashes[slot] as number))
      slot = next
    }
    if (split < round) return
    split = 0
    round *= 2
    firsts = wider(firsts, 2 * round)
  }

  return {
    find(objectId, matches) {
      const hash = hashOf(objectId)
      let slot = firsts[bucketOf(hash)] as number
      while (slot !== NONE && !(hashes[slot] === hash && matches(slot))) slot = nexts[slot] as number
      return slot === NONE ? undefined : slot
    },
    add(objectId, slot) {
      while (slot >= nexts.length) {
        hashes = wider(hashes, 2 * hashes.length)
        nexts = wider(nexts, 2 * nexts.length)
      }
      const hash = hashOf(objectId)
      hashes[slot] = hash
      link(slot, bucketOf(hash))
      if (++size > round + split) splitNext()
    },
    remove(objectId, slot) {
      const bucket = bucketOf(hashOf(objectId))
      const next = nexts[slot] as number
      size--
      let at = firsts[bucket] as number
      if (at === slot) firsts[bucket] = next
      else {
        while (nexts[at] !== slot) at = nexts[at] as number
        nexts[at] = next
      }
    },
  }
}

function wider(old: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(capacity).fill(NONE, old.length)
  next.set(old)
  return next
}

/** Hashes the end of the id, which is its random part. */
function hashOf(id: string): number {
  let hash = 0
  for (let i = Math.max(0, id.length - HASHED_LENGTH); i < id.length; i++)
    hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 15)) >>> 0
}

const HASHED_LENGTH = 12
