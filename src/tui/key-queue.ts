// Batches keys that arrive faster than frames, as in a paste, so that signals and the stream are still handled.
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Input } from './keys/input-parser.ts'

export interface KeyQueue {
  push(keys: readonly Input[]): void
  stop(): void
}

/** ms between the end of one batch and the next. */
const FRAME_INTERVAL = 16

const BATCH_SIZE = 500

/** A key after a pause is handled immediately. */
export function createKeyQueue(
  handle: (keys: readonly Input[]) => void,
  systemClock: Pick<SystemClock, 'monotonic' | 'setTimeout'>,
): KeyQueue {
  const queue: Input[] = []
  let timer: { cancel(): void } | undefined
  let handledAt = Number.NEGATIVE_INFINITY

  function handleBatch(): void {
    timer = undefined
    handle(queue.splice(0, BATCH_SIZE))
    handledAt = systemClock.monotonic()
    if (queue.length > 0) timer = systemClock.setTimeout(handleBatch, FRAME_INTERVAL)
  }

  return {
    push(keys) {
      for (const key of keys) queue.push(key)
      if (timer !== undefined || queue.length === 0) return
      const delay = handledAt + FRAME_INTERVAL - systemClock.monotonic()
      if (delay > 0) timer = systemClock.setTimeout(handleBatch, delay)
      else handleBatch()
    },
    stop() {
      queue.length = 0
      timer?.cancel()
    },
  }
}
