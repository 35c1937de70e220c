import type { SandboxTime, WallTime } from '../domain/time.ts'
import type { Timer } from '../engine/tables.ts'
import { type AdvanceQueue, createAdvanceQueue } from './advance-queue.ts'
import { advanceGoal, type Clock, clockChange, createClock, LAST_INSTANT } from './clock.ts'
import { createDueQueue, type DueQueue } from './due-queue.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import { createPersistentClock, type PersistentClock } from './persistent-clock.ts'
import { createRealtimeLoop, type RealtimeLoop } from './realtime-loop.ts'
import { type PreparedTimers, type Timeline, type TimelinePorts, TimelineStoppedError } from './timeline-types.ts'
import { createTimerRunner, type TimerRunner } from './timer-runner.ts'

interface Parts {
  readonly queue: DueQueue
  readonly clock: Clock
  readonly effects: InFlight
  readonly timerRunner: TimerRunner
  readonly persistentClock: PersistentClock
  readonly advances: AdvanceQueue
  readonly realtimeLoop: RealtimeLoop
  /** Checks for due timers again. */
  resumeLoop(): void
}

/** Creates the timeline of a sandbox, which runs each armed timer at its due time, in the order of (`due`, `seq`). */
export function createTimeline(ports: TimelinePorts): Timeline {
  const { systemClock } = ports
  const queue = createDueQueue()
  const clock = createClock(systemClock, ports.clock, ports.onSetBack)
  const effects = createInFlight(() => realtimeLoop.onSettled())
  const timerRunner = createTimerRunner(ports, queue, clock, effects)
  const persistentClock = createPersistentClock(ports, clock)
  const advances = createAdvanceQueue(effects, resumeLoop)
  const realtimeLoop = createRealtimeLoop({
    systemClock,
    queue,
    clock,
    effects,
    timerRunner,
    mayRunTimers: advances.isIdle,
  })
  const parts: Parts = { queue, clock, effects, timerRunner, persistentClock, advances, realtimeLoop, resumeLoop }

  function resumeLoop(): void {
    realtimeLoop.clearAlarm()
    realtimeLoop.schedule()
  }

  function arm(timer: Timer, busy?: boolean): void {
    queue.put(timer, busy)
    if (!advances.isRunning()) return
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

    prepare: prepareTimers,
    ...replacementOperations(parts),

    start: () =>
      advances.begin(async (advance) => {
        const counts = { steps: 0, deliveries: 0 }
        // A receiver that hangs must not keep a server from starting. Attempts are dated by their due time anyway.
        await timerRunner.runUntil(advance, clock.free, clock.hold, counts, false)
        if (!advance.ended) clock.release()
        return counts
      }),
    stop() {
      advances.stop()
      realtimeLoop.stop()
      return effects.settled()
    },

    ...clockOperations(parts, systemClock.now),

    idle: () => (advances.isStopped() ? Promise.reject(new TimelineStoppedError()) : realtimeLoop.idle()),
    track: (effect) => void effects.track(effect, () => undefined),
  }
}

function prepareTimers(): PreparedTimers {
  const queue = createDueQueue()
  return {
    queue,
    arm: queue.put,
    replaceTimer(objectId, timer, busy) {
      queue.removeAll(objectId)
      if (timer !== undefined) queue.put(timer, busy)
    },
  }
}

/** Returns the operations by which a reset, an import or a restore replaces the timers and the clock. */
function replacementOperations({
  queue,
  clock,
  persistentClock,
  advances,
  realtimeLoop,
  resumeLoop,
}: Parts): Pick<Timeline, 'abandon' | 'adopt' | 'restoreClock'> {
  return {
    abandon() {
      queue.clear()
      if (!advances.isRunning()) return
      advances.abandon()
      clock.release()
      resumeLoop()
      realtimeLoop.onSettled()
    },
    adopt(timers) {
      queue.takeOver(timers.queue)
      realtimeLoop.onSettled()
      if (advances.isIdle()) resumeLoop()
      else advances.interrupt()
    },
    restoreClock(row) {
      if (!persistentClock.accept(row)) return
      advances.abandon()
      clock.replace(row)
      resumeLoop()
    },
  }
}

/** Returns the operations that move the clock or change its mode, and that run the timers on the way. */
function clockOperations(
  { queue, clock, effects, timerRunner, persistentClock, advances }: Parts,
  systemNow: () => WallTime,
): Pick<Timeline, 'setMode' | 'advance'> {
  const { whileHeld, moveTo, save } = persistentClock
  return {
    setMode: (request) =>
      advances.add((advance) =>
        whileHeld(advance, async (from) => {
          const row = clock.row()
          const target = clockChange(row, request, row.wall as WallTime)
          const goal = target.virtual as SandboxTime
          if (goal > from) await timerRunner.runUntil(advance, () => goal, moveTo)
          if (!advance.ended) await save({ ...target, wall: systemNow() })
          return clock.row()
        }),
      ),
    advance: (request) =>
      advances.add((advance) =>
        whileHeld(advance, async (from) => {
          const counts = { steps: 0, deliveries: 0 }
          if ('until' in request) {
            // The sandbox is idle only if no attempt is in flight, including those started earlier.
            for (const effect of effects.all()) advance.adopt(effect)
            await timerRunner.runUntil(advance, () => (queue.busy > 0 ? LAST_INSTANT : clock.now()), moveTo, counts)
            if (queue.busy > 0) return { now: clock.now(), ...counts, never: queue.busy }
          } else {
            const goal = advanceGoal(request, from)
            await timerRunner.runUntil(advance, () => goal, moveTo, counts)
            if (!advance.ended && goal > clock.now()) await moveTo(goal)
          }
          return { now: clock.now(), ...counts }
        }),
      ),
  }
}
