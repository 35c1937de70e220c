import { refuse } from '../domain/errors.ts'
import {
  addMs,
  durationInWords,
  LAST_RFC3339_INSTANT,
  rfc3339,
  type SandboxTime,
  type WallTime,
} from '../domain/time.ts'
import type { ClockRow } from '../engine/tables.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

export type ClockRequest =
  | { readonly mode: 'real' }
  | { readonly mode: 'scaled'; readonly speed: number }
  | { readonly mode: 'frozen'; readonly now?: SandboxTime | undefined }

/**
 * The latest time to which a clock can be moved, and at which a running clock stops. It is well before the last valid
 * year, so that expiry times stay valid too. A stored frozen clock may be later, up to {@link LAST_RFC3339_INSTANT}.
 */
export const LAST_INSTANT = Date.UTC(9000, 0, 1) as SandboxTime
export const MAX_SPEED = 1_000_000

/** Returns the time of a stored clock, in whole ms. */
export function currentTime(row: ClockRow, systemNow: WallTime): SandboxTime {
  if (row.mode === 'frozen') return Math.min(row.virtual, LAST_RFC3339_INSTANT) as SandboxTime
  return Math.min(row.virtual + Math.floor(Math.max(0, systemNow - row.wall) * row.speed), LAST_INSTANT) as SandboxTime
}

/** The time at which a frozen clock of a sandbox with a random seed starts, if the request names none. */
const REPEATABLE_START = Date.UTC(2026, 4, 6, 12) as SandboxTime

/**
 * Returns the clock of a new sandbox. It starts at the system time, or at the `now` of a frozen clock.
 * @param hasRandomSeed whether a frozen clock without `now` starts at a fixed time
 */
export function initialClock(request: ClockRequest, systemNow: WallTime, hasRandomSeed = false): ClockRow {
  const row: ClockRow = { id: 'clock', mode: 'real', speed: 1, virtual: systemNow, wall: systemNow }
  if (request.mode !== 'frozen') return clockChange(row, request, systemNow)
  return { ...row, mode: 'frozen', virtual: request.now ?? (hasRandomSeed ? REPEATABLE_START : systemNow) }
}

/**
 * Returns the clock after a change of mode. Time continues from the time of `current`.
 * @throws RefusalError if the request names an earlier time
 */
export function clockChange(current: ClockRow, request: ClockRequest, systemNow: WallTime): ClockRow {
  const now = currentTime(current, systemNow)
  const row: ClockRow = { id: 'clock', mode: request.mode, speed: 1, virtual: now, wall: systemNow }
  if (request.mode === 'frozen') return { ...row, virtual: notBefore(now, request.now ?? now, 'now') }
  if (request.mode === 'real') return row
  if (request.speed > 0 && request.speed <= MAX_SPEED) return { ...row, speed: request.speed }
  throw refuse('bad_request', `speed: expected a number above 0 and up to ${MAX_SPEED}, got ${request.speed}.`)
}

/** Returns `time`, or throws if it is before `now` or after {@link LAST_INSTANT}. */
function notBefore(now: SandboxTime, time: SandboxTime, field: string): SandboxTime {
  if (!(time <= LAST_INSTANT))
    throw refuse('bad_request', `${field}: the last possible time is ${rfc3339(LAST_INSTANT)}.`)
  if (time >= now) return time
  const gap = durationInWords(now - time)
  throw refuse(
    'not_allowed',
    `${field}: the sandbox's clock moves ahead only, and ${rfc3339(time)} is ${gap} earlier than its time, ${rfc3339(now)}. Name a later time, or go back by restoring a snapshot or resetting everything.`,
  )
}

/** Returns the time at which an advance from `now` ends. `by` is in ms. Throws if the end is in the past. */
export function advanceGoal(
  request: { readonly to: SandboxTime } | { readonly by: number },
  now: SandboxTime,
): SandboxTime {
  return 'to' in request ? notBefore(now, request.to, 'to') : notBefore(now, addMs(now, request.by), 'by')
}

export interface Clock {
  /** Returns the current time. It never decreases, except through `replace`. */
  now(): SandboxTime
  /** Returns the time that the clock would have if it were not held. */
  free(): SandboxTime
  /** Returns the clock to store, anchored at `time` (default: now). */
  row(time?: SandboxTime): ClockRow
  hold(time: SandboxTime): void
  release(): void
  replace(row: ClockRow): void
  /** Returns by how many ms this clock is ahead because the system clock was set back. */
  offset(): number
}

export type ClockSource = Pick<SystemClock, 'now' | 'monotonic'>

/** In ms. If system time gains at least this much on the monotonic clock, it was set or the machine slept. */
const CLOCK_JUMP = 1000
/** In ms. A time service may set the clock back by less. Such small steps are not reported. */
const REPORTED_SET_BACK = 10_000

/**
 * Creates a clock that is held at its anchor until released. If the system time is set back, the clock does not follow,
 * but continues from its current time. The difference is its offset. If the system time later jumps ahead, for example
 * because the machine slept, the jump first reduces the offset. The clock follows the rest of the jump.
 * @param onSetBack called with the ms by which the system time was set back
 */
export function createClock(
  systemClock: ClockSource,
  first: ClockRow,
  onSetBack: (ms: number) => void = () => {},
): Clock {
  const systemNow = systemClock.now
  let anchor = first
  let lastSystemTime = first.wall
  let offset = 0
  /** The monotonic time at `lastSystemTime`. It is maintained only while there is an offset. */
  let lastMonotonic = 0
  let last = Math.min(first.virtual, LAST_RFC3339_INSTANT) as SandboxTime
  let heldAt: SandboxTime | undefined = last

  function anchorAt(time: SandboxTime): void {
    const systemTime = systemNow()
    anchor = { ...anchor, virtual: time, wall: systemTime }
    lastSystemTime = systemTime
  }

  function setBack(systemTime: WallTime): void {
    const before = lastSystemTime
    offset += lastSystemTime - systemTime
    lastMonotonic = systemClock.monotonic()
    anchorAt(last)
    if (before - systemTime >= REPORTED_SET_BACK) onSetBack(before - systemTime)
  }

  function reduceOffset(systemTime: WallTime): void {
    const monotonic = systemClock.monotonic()
    const gained = systemTime - lastSystemTime - (monotonic - lastMonotonic)
    lastMonotonic = monotonic
    if (gained < CLOCK_JUMP) return
    const reduction = Math.min(offset, Math.round(gained))
    offset -= reduction
    anchor = { ...anchor, wall: anchor.wall + reduction }
  }

  function free(): SandboxTime {
    const systemTime = systemNow()
    if (systemTime < lastSystemTime) setBack(systemTime)
    else if (offset > 0) reduceOffset(systemTime)
    lastSystemTime = systemTime
    last = Math.max(last, currentTime(anchor, systemTime)) as SandboxTime
    return last
  }

  return {
    now: () => heldAt ?? free(),
    free,
    row(time) {
      return { ...anchor, virtual: time ?? heldAt ?? free(), wall: systemNow() }
    },
    hold(time) {
      heldAt = time
    },
    release() {
      heldAt = undefined
    },
    replace(row) {
      anchor = row
      lastSystemTime = row.wall
      if (offset > 0) lastMonotonic = systemClock.monotonic()
      // A reset returns the clock to system time.
      if (row.virtual === row.wall) offset = 0
      last = row.virtual as SandboxTime
      heldAt = undefined
    },
    offset: () => offset,
  }
}
