import { refuse } from '../../domain/errors.ts'
import type { World } from '../../engine/world.ts'

/** Returns the id of the oldest shop, which is the default for requests that name no shop. */
export function firstShopId(world: World): string {
  for (const { id } of world.rows('shops')) return id
  throw refuse('not_found', 'There is no shop. Create one with POST /_psp/shops.')
}
