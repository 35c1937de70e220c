import type { RecordedBytes } from './exchange.ts'

export interface BodyRecorder {
  add(chunk: Buffer): void
  recorded(): RecordedBytes
}

/** @param limit bytes to keep */
export function createBodyRecorder(limit: number): BodyRecorder {
  const kept: Buffer[] = []
  let keptLength = 0
  let length = 0
  return {
    add(chunk) {
      length += chunk.length
      if (keptLength === limit) return
      const part = chunk.subarray(0, limit - keptLength)
      // A part is copied, because a view of it would keep the whole chunk in memory.
      kept.push(part.length === chunk.length ? chunk : Buffer.from(part))
      keptLength += part.length
    },
    recorded: () => ({ bytes: Buffer.concat(kept), length }),
  }
}
