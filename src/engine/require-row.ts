import { refuse } from '../domain/errors.ts'
import type { Payment } from '../domain/payment.ts'
import type { Caller } from './command.ts'
import type { TableName, Tables } from './tables.ts'
import type { World } from './world.ts'

/** The name of a row in messages. */
const NOUNS = {
  shops: 'shop',
  keys: 'key',
  endpoints: 'webhook endpoint',
  payments: 'payment',
  refunds: 'refund',
  payouts: 'payout',
  events: 'event',
  deliveries: 'delivery',
  rules: 'rule',
  faults: 'fault',
  imported_events: 'imported event',
} satisfies { readonly [T in TableName]?: string }

/** Tables whose ids are UUIDs, which are found in either letter case. */
const UUID_TABLES: readonly TableName[] = ['shops', 'payments', 'refunds', 'payouts']

/** @throws RefusalError `not_found` */
export function requireRow<T extends keyof typeof NOUNS>(world: Pick<World, 'get'>, table: T, id: string): Tables[T] {
  const row = world.get(table, UUID_TABLES.includes(table) ? id.toLowerCase() : id)
  if (row === undefined) throw refuse('not_found', `There is no ${NOUNS[table]} ${id.slice(0, 64)}.`)
  return row
}

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
