import type { TableName } from '../../engine/tables.ts'
import type { CompressionPolicy } from './compressor.ts'

/**
 * The tables that grow without bound. A payment changes three more times in the 4 s after its creation. If it were text by
 * then, each change would have to parse it and convert its block to text again. So 32,768 payments stay objects: at 8,000
 * payments per second these are the last 4 s. Reading a deflated event takes 60 µs, but events are rarely read.
 */
export const COMPRESSION: { readonly [T in TableName]?: CompressionPolicy } = {
  payments: { recentRows: 32_768, deflate: false },
  refunds: { recentRows: 4096, deflate: false },
  payouts: { recentRows: 4096, deflate: false },
  idempotency: { recentRows: 2048, deflate: true },
  events: { recentRows: 2048, deflate: true },
  deliveries: { recentRows: 2048, deflate: true },
}
