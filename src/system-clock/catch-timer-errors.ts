import type { WallClock } from './system-clock.ts'

/** What these call back stands on no stack that could catch: a fault there must not end the process. */
export function guardedWall(wall: WallClock, onFault: (error: unknown) => void): WallClock {
  const guarded = (fn: () => void) => () => {
    try {
      fn()
    } catch (error) {
      onFault(error)
    }
  }
  return {
    now: wall.now,
    monotonic: wall.monotonic,
    setTimeout: (fn, ms) => wall.setTimeout(guarded(fn), ms),
    setInterval: (fn, ms) => wall.setInterval(guarded(fn), ms),
    nextTurn: (fn) => wall.nextTurn(guarded(fn)),
  }
}

/** Tells a person, too: nobody's call fails when what runs by itself does. */
export function noticing(notice: (text: string) => void, onFault: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    onFault(error)
    notice(
      `Something psp does by itself failed, and it goes on: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
