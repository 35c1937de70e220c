import { refuse } from '../../domain/errors.ts'
import type { World } from '../../engine/world.ts'

/** The shop that was there first: the one meant where a request names none. */
export function firstShopId(world: World): string {
  for (const { id } of world.rows('shops')) return id
  throw refuse('not_found', 'There is no shop. POST /_psp/shops makes one.')
}
