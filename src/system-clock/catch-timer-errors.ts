import type { SystemClock } from './system-clock.ts'

/** Timer callbacks have no caller to catch their errors, so errors go to `onInternalError` instead of crashing the process. */
export function catchTimerErrors(systemClock: SystemClock, onInternalError: (error: unknown) => void): SystemClock {
  const guarded = (fn: () => void) => () => {
    try {
      fn()
    } catch (error) {
      onInternalError(error)
    }
  }
  return {
    now: systemClock.now,
    monotonic: systemClock.monotonic,
    setTimeout: (fn, ms) => systemClock.setTimeout(guarded(fn), ms),
    setInterval: (fn, ms) => systemClock.setInterval(guarded(fn), ms),
    nextTurn: (fn) => systemClock.nextTurn(guarded(fn)),
  }
}

/** Also prints a notice, because background work has no caller that could see the error. */
export function reportAndContinue(
  notice: (text: string) => void,
  onInternalError: (error: unknown) => void,
): (error: unknown) => void {
  return (error) => {
    onInternalError(error)
    notice(`Background work failed, and psp continues: ${error instanceof Error ? error.message : String(error)}`)
  }
}
