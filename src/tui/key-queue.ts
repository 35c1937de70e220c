// Keys that come faster than frames, as a paste does: those of one frame are taken in one piece, so that the process
// still hears its signals and the stream.
import type { WallClock } from '../time/wall.ts'

export interface KeyQueue {
  push(keys: readonly string[]): void
  stop(): void
}

/** ms between the end of one piece and the next. */
const FRAME_INTERVAL = 16

/** Keys of one piece. */
const BATCH_SIZE = 500

/** A key that comes after a rest is taken at once. */
export function createKeyQueue(
  take: (keys: readonly string[]) => void,
  wall: Pick<WallClock, 'monotonic' | 'setTimeout'>,
): KeyQueue {
  const waiting: string[] = []
  let timer: { cancel(): void } | undefined
  let taken = Number.NEGATIVE_INFINITY

  function next(): void {
    timer = undefined
    take(waiting.splice(0, BATCH_SIZE))
    taken = wall.monotonic()
    if (waiting.length > 0) timer = wall.setTimeout(next, FRAME_INTERVAL)
  }

  return {
    push(keys) {
      for (const key of keys) waiting.push(key)
      if (timer !== undefined || waiting.length === 0) return
      const rest = taken + FRAME_INTERVAL - wall.monotonic()
      if (rest > 0) timer = wall.setTimeout(next, rest)
      else next()
    },
    stop() {
      waiting.length = 0
      timer?.cancel()
    },
  }
}
