import type { Delivery } from '../domain/delivery.ts'
import type { World } from '../engine/world.ts'

/** Returns the deliveries about a payment or payout, the oldest first. */
export function deliveriesOf(world: World, objectId: string): readonly Delivery[] {
  return world
    .find('events', 'by_object', objectId)
    .flatMap(({ id }) => world.find('deliveries', 'by_event', id))
    .toSorted((a, b) => a.created_at - b.created_at)
}
