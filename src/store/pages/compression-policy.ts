import type { TableName } from '../../engine/tables.ts'
import type { CompressionPolicy } from './compressor.ts'

/**
 * Tables that grow without bound. Payments are read again and again: as text a look costs 3 µs. A packed event costs
 * 60 µs, which nobody waits for.
 */
export const COMPRESSION: { readonly [T in TableName]?: CompressionPolicy } = {
  payments: { recentRows: 16_384, deflate: false },
  refunds: { recentRows: 4096, deflate: false },
  payouts: { recentRows: 4096, deflate: false },
  idempotency: { recentRows: 2048, deflate: true },
  events: { recentRows: 2048, deflate: true },
  deliveries: { recentRows: 2048, deflate: true },
}
