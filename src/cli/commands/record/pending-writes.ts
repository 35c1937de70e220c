// Writes exchanges in the background. A failed or slow write does not stop the traffic.
import type { RecordedExchange } from '../../../recordings/exchange.ts'

export interface PendingWrites {
  add(exchange: RecordedExchange): void
  /** The number of exchanges that were written. */
  count(): number
  /** The number of exchanges that could not be written. */
  lost(): number
  settled(): Promise<void>
}

export interface PendingWritesOptions {
  readonly write: (exchange: RecordedExchange) => Promise<void>
  /** Maximum bytes of bodies in pending writes. */
  readonly limit: number
  readonly onFirstLoss: (error: unknown) => void
}

export function createPendingWrites({ write, limit, onFirstLoss }: PendingWritesOptions): PendingWrites {
  let count = 0
  let lost = 0
  let bytes = 0
  const pending = new Set<Promise<void>>()

  function lose(error: unknown): void {
    if (lost === 0) onFirstLoss(error)
    lost++
  }

  return {
    add(exchange) {
      const size = exchange.request.body.bytes.length + (exchange.response?.body.bytes.length ?? 0)
      if (pending.size > 0 && bytes + size > limit) {
        lose(new Error('the disk is too slow for this traffic'))
        return
      }
      bytes += size
      const written = write(exchange)
        .then(() => void count++, lose)
        .finally(() => {
          bytes -= size
          pending.delete(written)
        })
      pending.add(written)
    },
    count: () => count,
    lost: () => lost,
    async settled() {
      await Promise.all(pending)
    },
  }
}
