// Random choices from a seeded source.
import type { Randomness } from '../engine/ports.ts'

type Draw = Pick<Randomness, 'draw'>

/** Returns an integer from 0 to `limit - 1`. */
export function drawBelow(random: Draw, limit: number): number {
  return Math.floor(random.draw() * limit)
}

/** Returns an item of a list that is not empty. */
export function drawItem<T>(random: Draw, items: readonly T[]): T {
  return items[drawBelow(random, items.length)] as T
}

export interface Weighted {
  readonly weight: number
}

/** Returns an item with a probability in proportion to its weight. */
export function drawWeighted<T extends Weighted>(random: Draw, items: readonly T[]): T {
  let left = random.draw() * items.reduce((sum, { weight }) => sum + weight, 0)
  for (const item of items) {
    left -= item.weight
    if (left < 0) return item
  }
  return items.at(-1) as T
}
