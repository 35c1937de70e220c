import type { Timer } from '../engine/tables.ts'
import { createInFlight, type Effect, type InFlight } from './in-flight.ts'

/**
 * An advance in progress. It tracks its timers: the timers that were armed when it started, and the timers that these
 * timers or their effects arm.
 */
export interface AdvanceRun {
  /** True if the timeline stopped, or its timers or its clock were replaced. An ended advance runs no further timer. */
  readonly ended: boolean
  /** The effects of this advance that are in flight. */
  readonly ownEffects: Pick<InFlight, 'count' | 'settled'>
  end(): void
  /** Reports that a timer was armed while this advance runs, by its work or by other work. */
  onArmed(timer: Timer): void
  /** Runs a due timer. If the timer belongs to this advance, the effect that it starts belongs to the advance too. */
  runTimer(timer: Timer, run: () => Effect | undefined): void
  adopt(effect: Effect): void
  /** Resolves the pending `ownEffects.settled()` calls. */
  interrupt(): void
}

export function createAdvanceRun(ended = false): AdvanceRun {
  const ownEffects = createInFlight(() => {})
  /** Ids of the timers that other work armed. */
  const foreignTimers = new Set<string>()
  /**
   * Objects with an effect of this advance in flight. The timer of a retry is armed while the failed attempt is in
   * flight.
   */
  const busy = new Map<string | undefined, number>()
  let isRunningOwnTimer = false

  function adopt({ object_id, done }: Effect): void {
    busy.set(object_id, (busy.get(object_id) ?? 0) + 1)
    const settled = done.then(() => {
      const left = (busy.get(object_id) as number) - 1
      if (left > 0) busy.set(object_id, left)
      else busy.delete(object_id)
    })
    ownEffects.track(settled, () => {})
  }

  return {
    get ended() {
      return ended
    },
    ownEffects,
    end() {
      ended = true
    },
    onArmed({ id, object_id }) {
      if (isRunningOwnTimer || busy.has(object_id)) foreignTimers.delete(id)
      else foreignTimers.add(id)
    },
    runTimer(timer, run) {
      const isOwn = !foreignTimers.delete(timer.id)
      isRunningOwnTimer = isOwn
      try {
        const effect = run()
        if (effect !== undefined && isOwn) adopt(effect)
      } finally {
        isRunningOwnTimer = false
      }
    },
    adopt,
    interrupt: ownEffects.interrupt,
  }
}
