import type { SystemClock } from '../system-clock/system-clock.ts'

/** In ms. It is long enough to make progress, and short enough not to delay requests noticeably. */
const BUDGET = 4

/** Limits how long work may run in one turn of the event loop before it yields to pending I/O. */
export interface TimeBudget {
  isSpent(): boolean
  reset(): void
  /** Resolves in a later turn of the event loop, with a full budget. */
  yield(): Promise<void>
}

export function createTimeBudget(systemClock: Pick<SystemClock, 'monotonic' | 'nextTurn'>): TimeBudget {
  let end = systemClock.monotonic() + BUDGET
  const reset = () => {
    end = systemClock.monotonic() + BUDGET
  }
  return {
    isSpent: () => systemClock.monotonic() >= end,
    reset,
    async yield() {
      await new Promise<void>((resolve) => systemClock.nextTurn(resolve))
      reset()
    },
  }
}
