import type { Randomness } from '../engine/ports.ts'

/** Ids that end with the shard's number as two hex digits: a proxy sends a payment page to its server by them. */
export function withShardSuffix(random: Randomness, shard: number): Randomness {
  const tail = shard.toString(16).padStart(2, '0')
  return { ...random, uuid: () => random.uuid().slice(0, -2) + tail, shard }
}
