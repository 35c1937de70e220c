const SHARDS = 256
const FIRST_CAPACITY = 1024
const NONE = 2 ** 32 - 1

/** Which slots the timers of an object have. */
export interface SlotIndex {
  /** The object's slot of which `isIt` is true. */
  find(objectId: string, isIt: (slot: number) => boolean): number | undefined
  add(objectId: string, slot: number): void
  /** Takes out a slot that is in it. */
  remove(objectId: string, slot: number): void
  clear(): void
}

/**
 * An object has few timers: its id leads to one, and each to the next. So one entry does for all, and the text that is
 * looked for was hashed when the object was made. One Map would stop the event loop for 100 ms and more when it rehashes
 * near a million entries.
 */
export function createSlotIndex(): SlotIndex {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>())
  const shard = (id: string) => shards[shardOf(id)] as Map<string, number>
  // By slot: the object's next one, or NONE.
  let nexts = new Uint32Array(FIRST_CAPACITY)

  return {
    find(objectId, isIt) {
      let slot = shard(objectId).get(objectId) ?? NONE
      while (slot !== NONE && !isIt(slot)) slot = nexts[slot] as number
      return slot === NONE ? undefined : slot
    },
    add(objectId, slot) {
      while (slot >= nexts.length) nexts = wider(nexts)
      const map = shard(objectId)
      const first = map.get(objectId)
      nexts[slot] = first === undefined ? NONE : (nexts[first] as number)
      if (first === undefined) map.set(objectId, slot)
      else nexts[first] = slot
    },
    remove(objectId, slot) {
      const map = shard(objectId)
      const next = nexts[slot] as number
      let at = map.get(objectId) as number
      if (at !== slot) {
        while (nexts[at] !== slot) at = nexts[at] as number
        nexts[at] = next
      } else if (next === NONE) map.delete(objectId)
      else map.set(objectId, next)
    },
    clear() {
      for (const map of shards) map.clear()
    },
  }
}

function wider(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(2 * old.length)
  next.set(old)
  return next
}

/** The tail of an id is mostly the tail of a UUID: four characters tell enough. */
function shardOf(id: string): number {
  let sum = 0
  for (let i = Math.max(0, id.length - 4); i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) | 0
  return (sum ^ (sum >> 8)) & (SHARDS - 1)
}
