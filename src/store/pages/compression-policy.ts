import type { TableName } from '../../engine/tables.ts'
import type { CompressionPolicy } from './compressor.ts'

/**
 * The tables that grow without bound. A payment changes three more times in the 4 s after its creation. If it is text by
 * then, each change parses it, and its block becomes text again. So 32,768 payments stay objects: those of 4 s at 8,000 per
 * second. Reading a deflated event takes 60 µs, which is fast enough because events are rarely read.
 */
export const COMPRESSION: { readonly [T in TableName]?: CompressionPolicy } = {
  payments: { recentRows: 32_768, deflate: false },
  refunds: { recentRows: 4096, deflate: false },
  payouts: { recentRows: 4096, deflate: false },
  idempotency: { recentRows: 2048, deflate: true },
  events: { recentRows: 2048, deflate: true },
  deliveries: { recentRows: 2048, deflate: true },
}
