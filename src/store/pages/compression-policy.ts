import type { TableName } from '../../engine/tables.ts'
import type { Packing as CompressionPolicy } from './compressor.ts'

/**
 * Tables that grow without bound. Payments are read again and again: as text a look costs 3 µs. A packed event costs
 * 60 µs, which nobody waits for.
 */
export const COMPRESSION: { readonly [T in TableName]?: CompressionPolicy } = {
  payments: { fresh: 16_384, deflate: false },
  refunds: { fresh: 4096, deflate: false },
  payouts: { fresh: 4096, deflate: false },
  idempotency: { fresh: 2048, deflate: true },
  events: { fresh: 2048, deflate: true },
  deliveries: { fresh: 2048, deflate: true },
}
