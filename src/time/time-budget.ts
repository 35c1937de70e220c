import type { SystemClock } from '../system-clock/system-clock.ts'

/** Long enough to get on, short enough that a request hardly notices. */
const SLICE = 4

/** A share of the event loop's time. Who has spent it gives way to waiting I/O. */
export interface TimeBudget {
  isSpent(): boolean
  reset(): void
  /** Resolves in a later turn of the event loop, with a fresh share. */
  yield(): Promise<void>
}

export function createTimeBudget(systemClock: Pick<SystemClock, 'monotonic' | 'nextTurn'>): TimeBudget {
  let end = systemClock.monotonic() + SLICE
  const renew = () => {
    end = systemClock.monotonic() + SLICE
  }
  return {
    isSpent: () => systemClock.monotonic() >= end,
    reset: renew,
    async yield() {
      await new Promise<void>((resolve) => systemClock.nextTurn(resolve))
      renew()
    },
  }
}
