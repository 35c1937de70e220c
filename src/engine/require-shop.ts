import { refuse } from '../domain/errors.ts'
import type { Shop } from '../domain/shop.ts'
import type { World } from './world.ts'

/** @throws RefusalError `not_found` */
export function requireShop(world: World, id: string): Shop {
  const shop = world.get('shops', id.toLowerCase())
  if (shop === undefined) throw refuse('not_found', `There is no shop ${id.slice(0, 64)}.`)
  return shop
}
