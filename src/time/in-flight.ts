import { type Deferred, deferred } from '../domain/promises.ts'

/**
 * Work that continues after the step that started it, such as a webhook attempt over the network. Steps that are due do
 * not wait for it. An advance waits for its own effects before it moves the clock.
 */
export interface Effect {
  /** The object that the work concerns, if the caller named one. */
  readonly object_id: string | undefined
  /** Resolves when the effect is over. It never rejects. */
  readonly done: Promise<void>
}

/** Counts effects that are in flight. */
export interface InFlight {
  readonly count: number
  all(): Iterable<Effect>
  track(effect: Promise<unknown>, onFailure: (error: unknown) => void, objectId?: string): Effect
  /** Resolves once nothing is in flight. */
  settled(): Promise<void>
  /** Resolves the pending `settled()` calls although effects are in flight. */
  interrupt(): void
}

/** @param onSettled called each time the last effect in flight is over */
export function createInFlight(onSettled: () => void): InFlight {
  const running = new Set<Effect>()
  /** Resolves the pending `settled()` calls. */
  let waiting: Deferred<void> | undefined

  function interrupt(): void {
    waiting?.resolve()
    waiting = undefined
  }

  return {
    get count() {
      return running.size
    },
    all: () => running,
    track(work, onFailure, object_id) {
      const done = work.catch(onFailure).then(() => {
        running.delete(effect)
        if (running.size > 0) return
        interrupt()
        onSettled()
      })
      const effect: Effect = { object_id, done }
      running.add(effect)
      return effect
    },
    settled() {
      if (running.size === 0) return Promise.resolve()
      waiting ??= deferred()
      return waiting.promise
    },
    interrupt,
  }
}
