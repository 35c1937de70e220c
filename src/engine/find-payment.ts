import { refuse } from '../domain/errors.ts'
import type { Payment } from '../domain/payment.ts'
import type { Caller } from './command.ts'
import type { World } from './world.ts'

/**
 * Returns a payment of the caller. Payments of another shop or mode are not found, so their existence is not revealed.
 * @throws RefusalError `not_found`
 */
export function findPayment(world: World, caller: Caller, id: string): Payment {
  const payment = world.get('payments', id.toLowerCase())
  if (payment === undefined || payment.shop_id !== caller.shop_id || payment.mode !== caller.mode) {
    throw refuse('not_found', `There is no payment ${id.slice(0, 64)} for this API key.`)
  }
  return payment
}
