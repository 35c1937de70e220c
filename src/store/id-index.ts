/** Beyond this size one Map becomes 256: growing a Map of 2^20 entries stops the event loop for 100 ms and more. */
const ONE_MAP = 16_384
const SHARDS = 256

/** Text to value, of any size, never with a long pause. */
export class IdIndex<V> {
  #single = new Map<string, V>()
  #shards: Map<string, V>[] | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: string): V | undefined {
    return this.#mapOf(id).get(id)
  }

  set(id: string, value: V): void {
    const map = this.#mapOf(id)
    const before = map.size
    map.set(id, value)
    if (map.size === before) return
    this.#size++
    if (this.#shards === undefined && this.#size > ONE_MAP) this.#spread()
  }

  delete(id: string): void {
    if (this.#mapOf(id).delete(id)) this.#size--
  }

  #mapOf(id: string): Map<string, V> {
    return this.#shards === undefined ? this.#single : shardOf(this.#shards, id)
  }

  #spread(): void {
    const shards = Array.from({ length: SHARDS }, () => new Map<string, V>())
    for (const [id, value] of this.#single) shardOf(shards, id).set(id, value)
    this.#shards = shards
    this.#single = new Map()
  }
}

/** The tail of an id varies most: uuids, `evt_…`, `<kind>:<uuid>`, `<merchant>:<mode>:<key>`. */
function shardOf<V>(shards: Map<string, V>[], id: string): Map<string, V> {
  let hash = 0
  for (let i = Math.max(0, id.length - 8); i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) | 0
  return shards[(hash ^ (hash >>> 8)) & (SHARDS - 1)] as Map<string, V>
}
