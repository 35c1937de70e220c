// When to draw: at once after a key, else seldom enough that drawing stays a small part of a core.
import type { WallClock } from '../time/wall.ts'

export interface Pace {
  /** Something changed. `atOnce`: a person waits for it. */
  wish(atOnce?: boolean): void
  stop(): void
}

/** ms between two frames that nobody has asked for with a key. */
const FRAME = 100

/** Drawing takes at most this part of the time. */
const SHARE = 1 / 10

export function createPace(draw: () => void, wall: Pick<WallClock, 'monotonic' | 'setTimeout'>): Pace {
  let timer: { cancel(): void } | undefined
  let drawn = Number.NEGATIVE_INFINITY
  let rest = FRAME
  let stopped = false

  function now(): void {
    timer?.cancel()
    timer = undefined
    if (stopped) return
    const began = wall.monotonic()
    draw()
    drawn = wall.monotonic()
    rest = Math.max(FRAME, (drawn - began) / SHARE)
  }

  return {
    wish(atOnce = false) {
      if (atOnce) now()
      else timer ??= wall.setTimeout(now, Math.max(0, drawn + rest - wall.monotonic()))
    },
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
