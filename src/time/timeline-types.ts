import type { SandboxTime } from '../domain/time.ts'
import type { ClockRow, Timer } from '../engine/tables.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ClockRequest } from './clock.ts'
import type { DueQueue } from './due-queue.ts'

export interface TimelinePorts {
  readonly systemClock: SystemClock
  /**
   * The stored clock, or the result of `initialClock`. Timers that fell due while the sandbox was down run at the
   * start.
   */
  readonly clock: ClockRow
  /**
   * Runs a timer, at the time `now()`. Called once per armed timer. A returned promise is an effect that continues,
   * such as a webhook attempt. Other timers do not wait for it. An advance waits for the effects of the timers that it
   * tracks.
   */
  run(timer: Timer): void | Promise<void>
  /** Stores the clock, before it moves or changes. If this throws, the clock does not move. */
  save(row: ClockRow): void | Promise<void>
  /** Called with the ms by which the system time was set back. Sandbox time continues from its current value. */
  onSetBack?(ms: number): void
  /** Called if a timer or effect threw. The timeline continues, and the timer is not retried. */
  onError(error: unknown, timer: Timer | undefined): void
}

export type AdvanceRequest = { readonly to: SandboxTime } | { readonly by: number } | { readonly until: 'idle' }

/** `steps` and `deliveries` are counts: all timers that ran, and the webhook attempts among them. */
export interface AdvanceResult {
  readonly now: SandboxTime
  readonly steps: number
  readonly deliveries: number
  /** The number of timers that are due after the latest possible time, if an advance until idle reached that time. */
  readonly never?: number
}

/** Timers of a state that has not replaced the current one yet. */
export interface PreparedTimers extends Pick<Timeline, 'arm' | 'replaceTimer'> {
  readonly queue: DueQueue
}

export interface Timeline {
  now(): SandboxTime
  /** The clock as it would be stored at this moment. */
  clock(): ClockRow
  /** Returns by how many ms this clock is ahead because the system clock was set back. */
  offset(): number
  nextDue(): SandboxTime | undefined
  /**
   * Returns the number of timers that keep the sandbox busy, and the first `limit` of them in order. `idle()` waits for
   * these timers unless the clock is frozen.
   */
  waiting(limit: number): { readonly count: number; readonly first: readonly Timer[] }
  /** Returns the number of all timers, and the first `limit` matching timers in order. */
  scheduled(
    limit: number,
    wanted: (timer: Timer) => boolean,
  ): { readonly count: number; readonly first: readonly Timer[] }
  /** Adds a timer, or replaces the timer with its id. A due timer runs in a later turn of the event loop. */
  arm(timer: Timer): void
  /**
   * Replaces the timer of an object that has at most one. `undefined` removes it.
   * @param busy whether the timer keeps the sandbox busy
   */
  replaceTimer(objectId: string, timer: Timer | undefined, busy: boolean): void
  /** Removes a timer. A timer that is unknown or already runs is ignored. */
  disarm(id: string): void
  disarmAll(): void
  /** Creates an empty set of timers. `adopt` replaces all current timers with it. */
  prepare(): PreparedTimers
  /** Replaces all timers. */
  adopt(timers: PreparedTimers): void
  /**
   * Runs the timers that fell due while the sandbox was down, each at its due time. Then the clock starts to run.
   * Webhook attempts are started, but not awaited. Returns the numbers of timers, and of webhook attempts among them.
   */
  start(): Promise<Pick<AdvanceResult, 'steps' | 'deliveries'>>
  /** Stops permanently. Resolves when nothing is in flight. Pending calls reject with {@link TimelineStoppedError}. */
  stop(): Promise<void>
  /**
   * Changes the mode, after all earlier advances. If the request moves the clock forward, the timers that are due run
   * first.
   */
  setMode(request: ClockRequest): Promise<ClockRow>
  /** Removes all timers and ends all advances with `sandbox_reset`. The clock continues from its current time. */
  abandon(): void
  /** Switches to a clock that a reset, import or restore stored, even to an earlier one. Ends all advances. */
  restoreClock(row: ClockRow): void
  /**
   * Runs every timer up to the goal, in order and at its due time. The advance awaits the effects of its timers, see
   * `AdvanceRun`. With `until: 'idle'`, it also awaits the effects that are in flight when it starts. For other effects
   * it waits at most 1 s in total. Advances run one at a time.
   */
  advance(request: AdvanceRequest): Promise<AdvanceResult>
  /**
   * Resolves when nothing is in flight and no timer is due. If the clock is not frozen, it also waits until only
   * expiries are left. A pending call keeps the process alive.
   */
  idle(): Promise<void>
  /** Counts an effect as in flight until it settles. The caller handles its failure. */
  track(effect: Promise<unknown>): void
}

/** Rejects the calls that are pending when the timeline stops. */
export class TimelineStoppedError extends Error {
  override readonly name = 'TimelineStoppedError'
  constructor() {
    super('The sandbox was closed while this call was pending. Await the call before you close the sandbox.')
  }
}
