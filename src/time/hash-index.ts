const FIRST_CAPACITY = 1024
const NONE = 2 ** 32 - 1

/** Which slots the timers of an object have. */
export interface HashIndex {
  /** A slot of the object for which `isIt` is true; it is asked for a few slots of others, too. */
  find(objectId: string, isIt: (slot: number) => boolean): number | undefined
  add(objectId: string, slot: number): void
  /** Takes out a slot that is in it. */
  remove(objectId: string, slot: number): void
  clear(): void
}

/**
 * A hash table of numbers, outside of the garbage collector's sight; a Map of the ids costs three times as much a look.
 * It grows by one bucket at a time: one Map would stop the event loop for 100 ms and more when it rehashes near a million
 * entries.
 */
export function createHashIndex(): HashIndex {
  // By slot: the hash of its object's id, and the next slot of the bucket, or NONE.
  let hashes = new Uint32Array(FIRST_CAPACITY)
  let nexts = new Uint32Array(FIRST_CAPACITY)
  // By bucket: its first slot, or NONE.
  let firsts = new Uint32Array(FIRST_CAPACITY).fill(NONE)
  let size = 0
  /** Buckets below this one are split already: their hashes count with one bit more. */
  let split = 0
  /** Buckets before the first of them was split, a power of two. */
  let round = FIRST_CAPACITY / 2

  function bucketOf(hash: number): number {
    const bucket = hash & (round - 1)
    return bucket < split ? hash & (2 * round - 1) : bucket
  }

  function link(slot: number, bucket: number): void {
    nexts[slot] = firsts[bucket] as number
    firsts[bucket] = slot
  }

  /** Half of the slots of the next bucket move to a new one. */
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
    find(objectId, isIt) {
      const hash = hashOf(objectId)
      let slot = firsts[bucketOf(hash)] as number
      while (slot !== NONE && !(hashes[slot] === hash && isIt(slot))) slot = nexts[slot] as number
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
    clear() {
      firsts.fill(NONE)
      size = 0
    },
  }
}

function wider(old: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(capacity).fill(NONE, old.length)
  next.set(old)
  return next
}

/** Ids end in what was drawn at random, so the last characters tell them apart. */
function hashOf(id: string): number {
  let hash = 0
  for (let i = Math.max(0, id.length - LAST); i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0
  return (hash ^ (hash >>> 15)) >>> 0
}

const LAST = 12
