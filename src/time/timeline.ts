import type { SandboxTime, WallTime } from '../domain/time.ts'
import { advanceGoal, clockChange, createClock, LAST_INSTANT } from './clock.ts'
import { createClockKeeper } from './clock-keeper.ts'
import { createDueQueue } from './due-queue.ts'
import { createEffects } from './effects.ts'
import { createJobLine } from './job-line.ts'
import { createSlice } from './slice.ts'
import { createStepper, type Drive } from './stepper.ts'
import { type Timeline, type TimelinePorts, TimelineStopped } from './timeline-contract.ts'
import { createWake } from './wake.ts'

/** The sandbox's time: it knows the timers that wait, and runs each at its instant, in the order of (`due`, `seq`). */
export function createTimeline(ports: TimelinePorts): Timeline {
  const { wall } = ports
  const queue = createDueQueue(ports.isExpiry)
  const clock = createClock(wall.now, ports.clock, ports.lastInstant ?? (ports.clock.virtual as SandboxTime))
  const effects = createEffects(look)
  const stepper = createStepper(ports, queue, clock, effects, () => createSlice(wall))
  const { holding, moveTo, change, adopt } = createClockKeeper(ports, clock)
  const wake = createWake(wall, pump)
  const slice = createSlice(wall)
  const line = createJobLine(() => {
    wake.off()
    soon()
  })
  let phase: 'new' | 'started' | 'stopped' = 'new'
  let pumping = false
  let idlers: Idler[] = []
  let current: Drive = { ended: true }

  /** Jobs move the clock; while one runs, it alone takes steps. */
  const flowing = () => phase === 'started' && line.length === 0

  function pump(): void {
    pumping = false
    if (!flowing()) return
    slice.renew()
    if (stepper.runDue(slice)) {
      soon()
      return
    }
    if (idlers.length > 0 && quiet()) {
      const waited = idlers
      idlers = []
      for (const { resolve } of waited) resolve()
    }
    sleep()
  }

  function soon(): void {
    if (pumping || !flowing()) return
    pumping = true
    wall.nextTurn(pump)
  }

  /** An advance that waits for effects must not keep a new step waiting: they may depend on it. */
  function atOnce(): void {
    if (flowing()) soon()
    else effects.interrupt()
  }

  /** Something ended that an `idle()` may wait for. */
  function look(): void {
    if (idlers.length > 0) soon()
  }

  function sleep(): void {
    const due = queue.peek()?.due
    const row = clock.row()
    if (due === undefined || row.mode === 'frozen') wake.off()
    else wake.at(due, row, idlers.length > 0)
  }

  function quiet(): boolean {
    if (!flowing() || effects.count > 0) return false
    const { mode, virtual } = clock.row()
    const due = queue.peek()?.due
    return (due === undefined || due > virtual) && (mode === 'frozen' || queue.busy === 0)
  }

  function job<R>(work: (drive: Drive) => Promise<R>): Promise<R> {
    if (phase === 'new') return Promise.reject(new Error('The timeline was not started: call start() first.'))
    return line.add(async () => {
      if (phase === 'stopped') throw new TimelineStopped()
      current = { ended: false }
      const result = await work(current)
      if (stopped()) throw new TimelineStopped()
      return result
    })
  }

  const stopped = () => phase === 'stopped'

  function endDrive(): void {
    current.ended = true
    effects.interrupt()
  }

  return {
    now: clock.now,
    clock: () => clock.row(),
    nextDue: () => queue.peek()?.due,

    arm(timer) {
      queue.put(timer)
      if (phase !== 'started') return
      if (timer.due <= clock.now()) atOnce()
      else if (flowing() && queue.peek() === timer) sleep()
    },
    disarm(id) {
      queue.remove(id)
      look()
    },
    disarmAll() {
      queue.clear()
      look()
    },

    start() {
      if (phase !== 'new') return Promise.reject(new Error('A timeline starts once.'))
      phase = 'started'
      return line.add(async () => {
        current = { ended: stopped() }
        // A receiver that hangs must not keep a server from starting; attempts count from when they were due anyway.
        await stepper.drive(current, clock.free, clock.hold, undefined, false)
        if (!current.ended) clock.release()
      })
    },
    stop() {
      phase = 'stopped'
      wake.off()
      endDrive()
      for (const idler of idlers) idler.reject(new TimelineStopped())
      idlers = []
      return effects.settled()
    },

    setMode: (request) =>
      job((drive) =>
        holding(drive, async (from) => {
          const row = clock.row()
          const target = clockChange(row, request, row.wall as WallTime)
          const goal = target.virtual as SandboxTime
          if (goal > from) await stepper.drive(drive, () => goal, moveTo)
          if (!drive.ended) await change({ ...target, wall: wall.now() })
          return clock.row()
        }),
      ),

    follow(row) {
      if (!adopt(row)) return
      endDrive()
      clock.replace(row)
      wake.off()
      soon()
    },

    advance: (request) =>
      job((drive) =>
        holding(drive, async (from) => {
          const tally = { steps: 0, deliveries: 0 }
          if ('until' in request) {
            await stepper.drive(drive, () => (queue.busy > 0 ? LAST_INSTANT : clock.now()), moveTo, tally)
            if (!drive.ended && queue.busy > 0) return { now: clock.now(), ...tally, never: queue.busy }
          } else {
            const goal = advanceGoal(request, from)
            await stepper.drive(drive, () => goal, moveTo, tally)
            if (!drive.ended && goal > clock.now()) await moveTo(goal)
          }
          return { now: clock.now(), ...tally }
        }),
      ),

    idle() {
      if (phase === 'stopped') return Promise.reject(new TimelineStopped())
      if (quiet()) return Promise.resolve()
      return new Promise((resolve, reject) => {
        idlers.push({ resolve, reject })
        soon()
      })
    },
    track(effect) {
      effects.track(effect, () => undefined)
    },
  }
}

interface Idler {
  resolve(): void
  reject(error: Error): void
}
