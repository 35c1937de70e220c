import type { SandboxTime } from '../domain/time.ts'
import type { Timer, TimerKind } from '../engine/tables.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ClockRequest, ClockRow } from './clock.ts'
import type { DueQueue } from './due-queue.ts'

export interface TimelinePorts {
  readonly systemClock: SystemClock
  /** The stored clock, or one of `firstClock`. What fell due after its anchor runs at the start. */
  readonly clock: ClockRow
  /**
   * Takes one step, at the instant `now()`. Called once per armed timer. A promise means an effect that goes on, such
   * as a webhook attempt: other steps do not wait for it, but the advance that ran the step does.
   */
  run(timer: Timer): void | Promise<void>
  isExpiry(kind: TimerKind): boolean
  /** Stores the clock; called before it moves or changes. When it throws, nothing moved. */
  save(row: ClockRow): void | Promise<void>
  /** Told when the machine's time was set back, by so many ms: the sandbox's goes on from where it was. */
  onSetBack?(ms: number): void
  /** Told of a step or effect that threw. The timeline goes on; the timer does not come again by itself. */
  onError(error: unknown, timer: Timer | undefined): void
}

export type AdvanceRequest = { readonly to: SandboxTime } | { readonly by: number } | { readonly until: 'idle' }

/** `steps` and `deliveries` are counts: all timers that ran, and the webhook attempts among them. */
export interface AdvanceResult {
  readonly now: SandboxTime
  readonly steps: number
  readonly deliveries: number
  /** Steps that are due after the last instant of the clock, where an advance until idle ended there. */
  readonly never?: number
}

/** Timers of a state that is not in place yet. */
export interface PreparedTimers extends Pick<Timeline, 'arm' | 'rearm'> {
  readonly queue: DueQueue
}

export interface Timeline {
  now(): SandboxTime
  /** The clock as it would be stored at this moment. */
  clock(): ClockRow
  /** By how much (ms of wall time) the clock is ahead because the machine's time was set back since the start. */
  ahead(): number
  nextDue(): SandboxTime | undefined
  /** The steps that `idle()` waits for while time flows: how many, and the first `limit` of them in order. */
  waiting(limit: number): { readonly count: number; readonly first: readonly Timer[] }
  /** Adds a timer, or replaces the one of its id. It runs in a later turn of the event loop, once it is due. */
  arm(timer: Timer): void
  /**
   * The one timer of an object that has one at a time, in place of the one it had; `undefined`: none.
   * @param busy it keeps the sandbox busy, whatever it is
   */
  rearm(objectId: string, timer: Timer | undefined, busy: boolean): void
  /** Forgets a timer; one that is unknown or runs already is no fault. */
  disarm(id: string): void
  disarmAll(): void
  /** Timers that are armed aside, to take the place of all others. */
  prepare(): PreparedTimers
  /** Forgets all timers, and takes over these. */
  adopt(timers: PreparedTimers): void
  /**
   * Runs what fell due since the last instant, each step at its own instant, then lets time go on. Webhook attempts are
   * begun, not waited for.
   */
  start(): Promise<void>
  /** Ends for good. Resolves when nothing is in flight; waiting calls reject with {@link TimelineStoppedError}. */
  stop(): Promise<void>
  /** Changes the mode, after the advances that were asked for before. A later `now` is reached step by step. */
  setMode(request: ClockRequest): Promise<ClockRow>
  /**
   * Forgets all timers, and ends the advances that run or wait: they reject with the refusal `sandbox_reset`. The clock
   * continues from the time that it shows.
   */
  abandon(): void
  /** Takes over a clock that was stored by others (reset, import, restore), even an earlier one. Ends advances. */
  follow(row: ClockRow): void
  /**
   * Runs every due step in order at its own instant. It waits for the effects of the steps that were armed when it began,
   * and of what they arm in turn; for other effects a second in all. Calls wait for each other.
   */
  advance(request: AdvanceRequest): Promise<AdvanceResult>
  /**
   * Resolves when nothing is in flight, nothing is due and, while time flows, no timer but expiries waits.
   * It keeps the process alive.
   */
  idle(): Promise<void>
  /** Counts an effect that others started as in flight until it settles; its failure is theirs to handle. */
  track(effect: Promise<unknown>): void
}

/** A call that waited when the timeline ended. */
export class TimelineStoppedError extends Error {
  override readonly name = 'TimelineStoppedError'
  constructor() {
    super('The sandbox was closed while this call waited for it. Await the call before you close the sandbox.')
  }
}
