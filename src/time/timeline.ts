import type { SandboxTime, WallTime } from '../domain/time.ts'
import type { Timer } from '../engine/tables.ts'
import { createAdvance } from './advance.ts'
import { createAdvanceQueue } from './advance-queue.ts'
import { clockChange, createClock } from './clock.ts'
import { createDueQueue } from './due-queue.ts'
import { createInFlight } from './in-flight.ts'
import { createPersistentClock } from './persistent-clock.ts'
import { createRealtimeLoop } from './realtime-loop.ts'
import { createStateReplacement } from './state-replacement.ts'
import { createTimeBudget } from './time-budget.ts'
import { type PreparedTimers, type Timeline, type TimelinePorts, TimelineStoppedError } from './timeline-types.ts'
import { createTimerRunner } from './timer-runner.ts'

/** Creates the timeline of a sandbox, which runs each armed timer at its due time, in the order of (`due`, `seq`). */
export function createTimeline(ports: TimelinePorts): Timeline {
  const { systemClock } = ports
  const queue = createDueQueue(ports.isExpiry)
  const clock = createClock(ports.systemClock, ports.clock, ports.onSetBack)
  const effects = createInFlight(() => realtimeLoop.onSettled())
  const timerRunner = createTimerRunner(ports, queue, clock, effects, () => createTimeBudget(systemClock))
  const persistentClock = createPersistentClock(ports, clock)
  const { whileHeld, moveTo, save } = persistentClock
  const advances = createAdvanceQueue(effects, resumeLoop)
  const realtimeLoop = createRealtimeLoop({
    systemClock,
    queue,
    clock,
    effects,
    timerRunner,
    mayRunTimers: advances.isIdle,
  })

  function resumeLoop(): void {
    realtimeLoop.clearAlarm()
    realtimeLoop.schedule()
  }

  function arm(timer: Timer, busy?: boolean): void {
    queue.put(timer, busy)
    if (!advances.hasStarted()) return
    if (!advances.isIdle()) advances.onArmed(timer)
    if (timer.due <= clock.now()) {
      if (advances.isIdle()) realtimeLoop.schedule()
      // An advance that awaits effects must not delay a new timer, because the effects may depend on it.
      else advances.interrupt()
    } else if (advances.isIdle() && queue.peek() === timer) realtimeLoop.setAlarm()
  }

  return {
    now: clock.now,
    clock: () => clock.row(),
    offset: clock.offset,
    nextDue: () => queue.peek()?.due,
    waiting: (limit) => ({ count: queue.busy, first: queue.first(limit, (_, isBusy) => isBusy) }),
    scheduled: (limit, wanted) => ({ count: queue.size, first: queue.first(limit, wanted) }),

    arm,
    replaceTimer(objectId, timer, busy) {
      if (queue.removeAll(objectId)) realtimeLoop.onSettled()
      if (timer !== undefined) arm(timer, busy)
    },
    disarm(id) {
      queue.remove(id)
      realtimeLoop.onSettled()
    },
    disarmAll() {
      queue.clear()
      realtimeLoop.onSettled()
    },

    prepare: () => prepareTimers(ports.isExpiry),
    ...createStateReplacement({ queue, clock, persistentClock, advances, realtimeLoop, resumeLoop }),

    start: () =>
      advances.begin(async (advance) => {
        // A receiver that hangs must not keep a server from starting. Attempts are dated by their due time anyway.
        await timerRunner.runUntil(advance, clock.free, clock.hold, undefined, false)
        if (!advance.ended) clock.release()
      }),
    stop() {
      advances.stop()
      realtimeLoop.stop()
      return effects.settled()
    },

    setMode: (request) =>
      advances.add((advance) =>
        whileHeld(advance, async (from) => {
          const row = clock.row()
          const target = clockChange(row, request, row.wall as WallTime)
          const goal = target.virtual as SandboxTime
          if (goal > from) await timerRunner.runUntil(advance, () => goal, moveTo)
          if (!advance.ended) await save({ ...target, wall: systemClock.now() })
          return clock.row()
        }),
      ),

    advance: createAdvance({ queue, clock, effects, timerRunner, persistentClock, advances }),

    idle: () => (advances.isStopped() ? Promise.reject(new TimelineStoppedError()) : realtimeLoop.idle()),
    track: (effect) => void effects.track(effect, () => undefined),
  }
}

function prepareTimers(isExpiry: TimelinePorts['isExpiry']): PreparedTimers {
  const queue = createDueQueue(isExpiry)
  return {
    queue,
    arm: queue.put,
    replaceTimer(objectId, timer, busy) {
      queue.removeAll(objectId)
      if (timer !== undefined) queue.put(timer, busy)
    },
  }
}
