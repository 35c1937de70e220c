import type { SandboxTime, WallTime } from '../domain/time.ts'
import type { Timer } from '../engine/tables.ts'
import { createAdvance } from './advance.ts'
import { createAdvanceQueue } from './advance-queue.ts'
import { clockChange, createClock } from './clock.ts'
import { createDueQueue } from './due-queue.ts'
import { createInFlight } from './in-flight.ts'
import { createPersistentClock } from './persistent-clock.ts'
import { createRealtimeLoop } from './realtime-loop.ts'
import { createTakeover } from './takeover.ts'
import { createTimeBudget } from './time-budget.ts'
import { type PreparedTimers, type Timeline, type TimelinePorts, TimelineStoppedError } from './timeline-types.ts'
import { createTimerRunner } from './timer-runner.ts'

/** The sandbox's time: it knows the timers that wait, and runs each at its instant, in the order of (`due`, `seq`). */
export function createTimeline(ports: TimelinePorts): Timeline {
  const { systemClock } = ports
  const queue = createDueQueue(ports.isExpiry)
  const clock = createClock(ports.systemClock, ports.clock, ports.onSetBack)
  const effects = createInFlight(() => flow.onSettled())
  const stepper = createTimerRunner(ports, queue, clock, effects, () => createTimeBudget(systemClock))
  const keeper = createPersistentClock(ports, clock)
  const { holding, moveTo, change } = keeper
  const drives = createAdvanceQueue(effects, flowAgain)
  const flow = createRealtimeLoop({ systemClock, queue, clock, effects, stepper, isRunning: drives.flowing })

  function flowAgain(): void {
    flow.pause()
    flow.schedule()
  }

  function arm(timer: Timer, busy?: boolean): void {
    queue.put(timer, busy)
    if (!drives.started()) return
    if (!drives.flowing()) drives.armed(timer)
    if (timer.due <= clock.now()) {
      if (drives.flowing()) flow.schedule()
      // An advance that waits for effects must not keep a new step waiting: they may depend on it.
      else drives.interrupt()
    } else if (drives.flowing() && queue.peek() === timer) flow.armTimer()
  }

  return {
    now: clock.now,
    clock: () => clock.row(),
    ahead: clock.ahead,
    nextDue: () => queue.peek()?.due,
    waiting: (limit) => ({ count: queue.busy, first: queue.firstBusy(limit) }),

    arm,
    rearm(objectId, timer, busy) {
      if (queue.drop(objectId)) flow.onSettled()
      if (timer !== undefined) arm(timer, busy)
    },
    disarm(id) {
      queue.remove(id)
      flow.onSettled()
    },
    disarmAll() {
      queue.clear()
      flow.onSettled()
    },

    prepare: () => prepareTimers(ports.isExpiry),
    ...createTakeover({ queue, clock, keeper, drives, flow, flowAgain }),

    start: () =>
      drives.begin(async (drive) => {
        // A receiver that hangs must not keep a server from starting; attempts count from when they were due anyway.
        await stepper.drive(drive, clock.free, clock.hold, undefined, false)
        if (!drive.ended) clock.release()
      }),
    stop() {
      drives.stop()
      flow.stop()
      return effects.settled()
    },

    setMode: (request) =>
      drives.add((drive) =>
        holding(drive, async (from) => {
          const row = clock.row()
          const target = clockChange(row, request, row.wall as WallTime)
          const goal = target.virtual as SandboxTime
          if (goal > from) await stepper.drive(drive, () => goal, moveTo)
          if (!drive.ended) await change({ ...target, wall: systemClock.now() })
          return clock.row()
        }),
      ),

    advance: createAdvance({ queue, clock, effects, stepper, keeper, drives }),

    idle: () => (drives.stopped() ? Promise.reject(new TimelineStoppedError()) : flow.idle()),
    track: (effect) => void effects.track(effect, () => undefined),
  }
}

function prepareTimers(isExpiry: TimelinePorts['isExpiry']): PreparedTimers {
  const queue = createDueQueue(isExpiry)
  return {
    queue,
    arm: queue.put,
    rearm(objectId, timer, busy) {
      queue.drop(objectId)
      if (timer !== undefined) queue.put(timer, busy)
    },
  }
}
