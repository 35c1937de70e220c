import type { SandboxTime, WallTime } from '../domain/time.ts'
import type { Timer } from '../engine/tables.ts'
import { createAdvance } from './advance.ts'
import { createDrives } from './advance-queue.ts'
import { clockChange, createClock } from './clock.ts'
import { createDueQueue } from './due-queue.ts'
import { createEffects } from './in-flight.ts'
import { createClockKeeper } from './persistent-clock.ts'
import { createFlow } from './realtime-loop.ts'
import { createTakeover } from './takeover.ts'
import { createSlice } from './time-budget.ts'
import { type PreparedTimers, type Timeline, type TimelinePorts, TimelineStopped } from './timeline-types.ts'
import { createStepper } from './timer-runner.ts'

/** The sandbox's time: it knows the timers that wait, and runs each at its instant, in the order of (`due`, `seq`). */
export function createTimeline(ports: TimelinePorts): Timeline {
  const { wall } = ports
  const queue = createDueQueue(ports.isExpiry)
  const clock = createClock(ports.wall, ports.clock, ports.onSetBack)
  const effects = createEffects(() => flow.calmer())
  const stepper = createStepper(ports, queue, clock, effects, () => createSlice(wall))
  const keeper = createClockKeeper(ports, clock)
  const { holding, moveTo, change } = keeper
  const drives = createDrives(effects, flowAgain)
  const flow = createFlow({ wall, queue, clock, effects, stepper, flowing: drives.flowing })

  function flowAgain(): void {
    flow.pause()
    flow.soon()
  }

  function arm(timer: Timer, busy?: boolean): void {
    queue.put(timer, busy)
    if (!drives.started()) return
    if (!drives.flowing()) drives.armed(timer)
    if (timer.due <= clock.now()) {
      if (drives.flowing()) flow.soon()
      // An advance that waits for effects must not keep a new step waiting: they may depend on it.
      else drives.interrupt()
    } else if (drives.flowing() && queue.peek() === timer) flow.sleep()
  }

  return {
    now: clock.now,
    clock: () => clock.row(),
    ahead: clock.ahead,
    nextDue: () => queue.peek()?.due,
    waiting: (limit) => ({ count: queue.busy, first: queue.firstBusy(limit) }),

    arm,
    rearm(objectId, timer, busy) {
      if (queue.drop(objectId)) flow.calmer()
      if (timer !== undefined) arm(timer, busy)
    },
    disarm(id) {
      queue.remove(id)
      flow.calmer()
    },
    disarmAll() {
      queue.clear()
      flow.calmer()
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
      return effects.over()
    },

    setMode: (request) =>
      drives.add((drive) =>
        holding(drive, async (from) => {
          const row = clock.row()
          const target = clockChange(row, request, row.wall as WallTime)
          const goal = target.virtual as SandboxTime
          if (goal > from) await stepper.drive(drive, () => goal, moveTo)
          if (!drive.ended) await change({ ...target, wall: wall.now() })
          return clock.row()
        }),
      ),

    advance: createAdvance({ queue, clock, effects, stepper, keeper, drives }),

    idle: () => (drives.stopped() ? Promise.reject(new TimelineStopped()) : flow.idle()),
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
