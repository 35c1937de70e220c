/** Work that goes on outside of the timeline, such as a webhook attempt over the network. */
export interface Effect {
  /** The object it is about; absent: the caller did not name one. */
  readonly object_id: string | undefined
  /** Settles when the effect is over; it does not reject. */
  readonly done: Promise<void>
}

/** Counts effects that are in flight. */
export interface InFlight {
  readonly count: number
  /** @returns the effects in flight */
  all(): Iterable<Effect>
  track(effect: Promise<unknown>, failed: (error: unknown) => void, objectId?: string): Effect
  /** Resolves once nothing is in flight. */
  settled(): Promise<void>
  /** Resolves the waiting `over()` calls although something is in flight. */
  interrupt(): void
}

/** @param calmed called each time the last effect in flight is over */
export function createInFlight(calmed: () => void): InFlight {
  const running = new Set<Effect>()
  let waiting: (() => void)[] = []

  function interrupt(): void {
    const now = waiting
    waiting = []
    for (const resolve of now) resolve()
  }

  return {
    get count() {
      return running.size
    },
    all: () => running,
    track(work, failed, object_id) {
      const done = work.catch(failed).then(() => {
        running.delete(effect)
        if (running.size > 0) return
        interrupt()
        calmed()
      })
      const effect: Effect = { object_id, done }
      running.add(effect)
      return effect
    },
    settled: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
    interrupt,
  }
}
