import type { Randomness } from '../engine/ports.ts'

/** Makes ids end with the shard's number as two hex digits. A proxy uses them to route payment pages to their server. */
export function withShardSuffix(random: Randomness, shard: number): Randomness {
  const tail = shard.toString(16).padStart(2, '0')
  return { ...random, uuid: () => random.uuid().slice(0, -2) + tail, shard }
}
