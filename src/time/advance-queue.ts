import { refuse } from '../domain/errors.ts'
import type { Timer } from '../engine/tables.ts'
import { type AdvanceRun, createAdvanceRun } from './advance-run.ts'
import type { InFlight } from './in-flight.ts'
import { TimelineStoppedError } from './timeline-types.ts'

/** Runs clock advances one at a time. Between advances the realtime loop runs due timers, from `begin` until `stop`. */
export interface AdvanceQueue {
  isRunning(): boolean
  isStopped(): boolean
  /** Returns true if the timeline is running and no advance runs or waits. Advances run their timers themselves. */
  isIdle(): boolean
  /** Runs the first advance. It can be called only once. */
  begin<R>(work: (advance: AdvanceRun) => Promise<R>): Promise<R>
  /**
   * @throws TimelineStoppedError if the timeline stops first, RefusalError sandbox_reset if `abandon` is called first
   */
  add<R>(work: (advance: AdvanceRun) => Promise<R>): Promise<R>
  /** Reports that a timer was armed, by the current advance or by other work. */
  onArmed(timer: Timer): void
  /** Makes the current advance stop waiting and check for due timers. */
  interrupt(): void
  /** Ends all advances: they run no further timer. Those of `add` reject; that of `begin` resolves. */
  abandon(): void
  stop(): void
}

/** @param done called after each advance, before its caller continues */
export function createAdvanceQueue(effects: Pick<InFlight, 'interrupt'>, done: () => void): AdvanceQueue {
  let phase: 'new' | 'started' | 'stopped' = 'new'
  let current = createAdvanceRun()
  let abandoned = 0
  /** The number of advances that wait or run. */
  let pending = 0
  let last: Promise<unknown> = Promise.resolve()
  const isRunning = () => phase === 'started'
  const isStopped = () => phase === 'stopped'

  /** Runs jobs one at a time, in order. If a job throws, the next one still runs. */
  function enqueue<R>(job: () => Promise<R>): Promise<R> {
    pending++
    const result = last.then(job).finally(() => {
      pending--
      done()
    })
    last = result.catch(() => undefined)
    return result
  }

  function interrupt(): void {
    current.interrupt()
    effects.interrupt()
  }

  function end(): void {
    current.end()
    interrupt()
  }

  return {
    isRunning,
    isStopped,
    isIdle: () => isRunning() && pending === 0,
    begin(work) {
      if (phase !== 'new') return Promise.reject(new Error('The timeline was already started.'))
      phase = 'started'
      return enqueue(() => {
        current = createAdvanceRun(isStopped())
        return work(current)
      })
    },
    add(work) {
      if (phase === 'new') return Promise.reject(new Error('The timeline was not started: call start() first.'))
      const before = abandoned
      const requireCurrent = () => {
        if (isStopped()) throw new TimelineStoppedError()
        if (abandoned !== before) throw refuse('sandbox_reset')
      }
      return enqueue(async () => {
        requireCurrent()
        current = createAdvanceRun()
        const result = await work(current)
        requireCurrent()
        return result
      })
    },
    onArmed: (timer) => current.onArmed(timer),
    interrupt,
    abandon() {
      abandoned++
      end()
    },
    stop() {
      phase = 'stopped'
      end()
    },
  }
}
