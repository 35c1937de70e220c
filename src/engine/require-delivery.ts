import type { Delivery } from '../domain/delivery.ts'
import { refuse } from '../domain/errors.ts'
import type { World } from './world.ts'

/** @throws RefusalError `not_found` */
export function requireDelivery(world: World, id: string): Delivery {
  const delivery = world.get('deliveries', id)
  if (delivery === undefined) throw refuse('not_found', `There is no delivery ${id.slice(0, 64)}.`)
  return delivery
}
