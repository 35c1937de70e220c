import type { TableName } from './tables.ts'

/** A table, a field, and the table to which the field refers. */
export const REFERENCES: readonly (readonly [from: TableName, field: string, to: TableName])[] = [
  ['shops', 'merchant_id', 'merchants'],
  ['keys', 'shop_id', 'shops'],
  ['endpoints', 'shop_id', 'shops'],
  ['payments', 'shop_id', 'shops'],
  ['refunds', 'shop_id', 'shops'],
  ['refunds', 'payment_id', 'payments'],
  ['payouts', 'shop_id', 'shops'],
  ['events', 'shop_id', 'shops'],
  ['deliveries', 'shop_id', 'shops'],
  ['deliveries', 'event_id', 'events'],
]
