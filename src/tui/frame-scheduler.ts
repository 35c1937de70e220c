// Schedules frames: immediately after a key, otherwise rarely enough that drawing takes a small part of a core.
import type { SystemClock } from '../system-clock/system-clock.ts'

export interface FrameScheduler {
  /** Requests a frame. @param immediately draws the frame now, because it shows the effect of a key */
  request(immediately?: boolean): void
  stop(): void
}

/** The minimum time in ms between two frames that no key requested. */
const FRAME_INTERVAL = 100

/** The maximum part of the time that drawing may take. */
const MAX_LOAD = 1 / 10

export function createFrameScheduler(
  draw: () => void,
  systemClock: Pick<SystemClock, 'monotonic' | 'setTimeout'>,
): FrameScheduler {
  let timer: { cancel(): void } | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  let pause = FRAME_INTERVAL
  let stopped = false

  function drawNow(): void {
    timer?.cancel()
    timer = undefined
    if (stopped) return
    const startedAt = systemClock.monotonic()
    draw()
    drawnAt = systemClock.monotonic()
    pause = Math.max(FRAME_INTERVAL, (drawnAt - startedAt) / MAX_LOAD)
  }

  return {
    request(immediately = false) {
      if (immediately) drawNow()
      else timer ??= systemClock.setTimeout(drawNow, Math.max(0, drawnAt + pause - systemClock.monotonic()))
    },
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
