/** Counts what runs outside of the timeline's hands: webhook attempts over the network. */
export interface Effects {
  readonly count: number
  track(effect: Promise<unknown>, failed: (error: unknown) => void): void
  /** Resolves once nothing is in flight. */
  over(): Promise<void>
  /** Resolves the waiting `over()` calls although something is in flight. */
  interrupt(): void
}

/** @param calmed called each time the last effect in flight is over */
export function createEffects(calmed: () => void): Effects {
  let count = 0
  let waiting: (() => void)[] = []

  function done(): void {
    count--
    if (count > 0) return
    interrupt()
    calmed()
  }

  function interrupt(): void {
    const now = waiting
    waiting = []
    for (const resolve of now) resolve()
  }

  return {
    get count() {
      return count
    },
    track(effect, failed) {
      count++
      effect.catch(failed).finally(done)
    },
    over: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
    interrupt,
  }
}
