import type { Timer } from '../engine/tables.ts'
import { createInFlight, type Effect, type InFlight } from './in-flight.ts'

/**
 * An advance that runs. It tells its work from that of others: its own are the steps that waited when it began, the
 * effects of these, and what both arm.
 */
export interface AdvanceRun {
  /** True when the timeline stopped, or another clock took over: it takes no further step. */
  readonly ended: boolean
  /** Its own effects in flight. */
  readonly own: Pick<InFlight, 'count' | 'settled'>
  end(): void
  /** A timer was armed while it runs: by its own work, or by others. */
  armed(timer: Timer): void
  /** Calls `run` for a step that is due, and takes the effect that it starts for its own if the step is its own. */
  step(timer: Timer, run: () => Effect | undefined): void
  /** Takes an effect that is in flight for its own. */
  adopt(effect: Effect): void
  /** Resolves the waiting `own.over()` calls. */
  interrupt(): void
}

export function createAdvanceRun(ended = false): AdvanceRun {
  const own = createInFlight(() => {})
  /** Ids of the timers that others armed. */
  const foreign = new Set<string>()
  /** Objects whose own effects are in flight: a retry is armed before its attempt is over. */
  const busy = new Map<string, number>()
  let acting = false

  function adopt({ object_id = '', done }: Effect): void {
    busy.set(object_id, (busy.get(object_id) ?? 0) + 1)
    const settled = done.then(() => {
      const left = (busy.get(object_id) ?? 1) - 1
      if (left > 0) busy.set(object_id, left)
      else busy.delete(object_id)
    })
    own.track(settled, () => {})
  }

  return {
    get ended() {
      return ended
    },
    own,
    end() {
      ended = true
    },
    armed({ id, object_id }) {
      if (acting || busy.has(object_id)) foreign.delete(id)
      else foreign.add(id)
    },
    step(timer, run) {
      const isOwn = !foreign.delete(timer.id)
      acting = isOwn
      try {
        const effect = run()
        if (effect !== undefined && isOwn) adopt(effect)
      } finally {
        acting = false
      }
    },
    adopt,
    interrupt: own.interrupt,
  }
}
