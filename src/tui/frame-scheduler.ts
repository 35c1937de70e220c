// When to draw: at once after a key, else seldom enough that drawing stays a small part of a core.
import type { WallClock } from '../time/wall.ts'

export interface FrameScheduler {
  /** Something changed. `atOnce`: a person waits for it. */
  request(atOnce?: boolean): void
  stop(): void
}

/** ms between two frames that nobody has asked for with a key. */
const FRAME_INTERVAL = 100

/** Drawing takes at most this part of the time. */
const MAX_LOAD = 1 / 10

export function createFrameScheduler(
  draw: () => void,
  wall: Pick<WallClock, 'monotonic' | 'setTimeout'>,
): FrameScheduler {
  let timer: { cancel(): void } | undefined
  let drawn = Number.NEGATIVE_INFINITY
  let rest = FRAME_INTERVAL
  let stopped = false

  function now(): void {
    timer?.cancel()
    timer = undefined
    if (stopped) return
    const began = wall.monotonic()
    draw()
    drawn = wall.monotonic()
    rest = Math.max(FRAME_INTERVAL, (drawn - began) / MAX_LOAD)
  }

  return {
    request(atOnce = false) {
      if (atOnce) now()
      else timer ??= wall.setTimeout(now, Math.max(0, drawn + rest - wall.monotonic()))
    },
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
