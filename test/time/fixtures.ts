import type { SandboxTime, WallTime } from '../../src/domain/time.ts'
import type { ClockRow, Timer, TimerKind } from '../../src/engine/tables.ts'
import { type ClockRequest, initialClock } from '../../src/time/clock.ts'
import { createTimeline } from '../../src/time/timeline.ts'
import type { TimelinePorts } from '../../src/time/timeline-types.ts'
import { manualSystemClock } from './manual-system-clock.ts'

export const START = Date.UTC(2026, 4, 6, 12)

/** Returns the time `ms` after the start of the tests. */
export const at = (ms: number) => (START + ms) as SandboxTime

export function timer(name: string, ms: number, seq = 0, kind: TimerKind = 'bank_answer'): Timer {
  return { id: `${kind}:${name}`, kind, object_id: name, due: at(ms), seq }
}

/** Creates a timeline with a manual system clock. `ran` records which timers ran and when, in ms after the start. */
export function rig(clock: ClockRequest | ClockRow = { mode: 'real' }, ports: Partial<TimelinePorts> = {}) {
  const systemClock = manualSystemClock(START)
  const ran: [name: string, at: number][] = []
  const saved: ClockRow[] = []
  const errors: unknown[] = []
  const timeline = createTimeline({
    systemClock,
    clock: 'id' in clock ? clock : initialClock(clock, START as WallTime),
    save: (row) => void saved.push(row),
    onError: (error) => void errors.push(error),
    ...ports,
    run(step) {
      ran.push([step.object_id, timeline.now() - START])
      return ports.run?.(step)
    },
  })
  return { systemClock, timeline, ran, saved, errors, now: () => timeline.now() - START }
}

/** Creates a promise and the function that resolves it. */
export function gate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}
