// A sandbox in this process lets it end, a call to it that is under way does not: nothing else may hold it meanwhile.
import type { Timers } from '../domain/timers.ts'

export interface ProcessRef {
  /** Settles as `work` does; until then the process goes on. */
  during<T>(work: Promise<T>): Promise<T>
}

/** @param wall whose timers keep the process from ending */
export function createProcessRef(wall: Timers): ProcessRef {
  let running = 0
  let hold: { cancel(): void } | undefined

  return {
    async during(work) {
      if (running++ === 0) hold = wall.setTimeout(() => {}, LONG)
      try {
        return await work
      } finally {
        if (--running === 0) hold?.cancel()
      }
    },
  }
}

/** ms: the longest there is. */
const LONG = 2 ** 31 - 1
