const SHARDS = 256

/** Which slot a timer's id has. */
export interface SlotIndex {
  get(id: string): number | undefined
  set(id: string, slot: number): void
  delete(id: string): void
  clear(): void
}

/** One Map would stop the event loop for 100 ms and more when it rehashes near a million entries. */
export function createSlotIndex(): SlotIndex {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>())
  const shard = (id: string) => shards[shardOf(id)] as Map<string, number>
  return {
    get: (id) => shard(id).get(id),
    set: (id, slot) => void shard(id).set(id, slot),
    delete: (id) => void shard(id).delete(id),
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
