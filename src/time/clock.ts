import { refuse } from '../domain/errors.ts'
import { addMs, durationInWords, LAST_WRITABLE, rfc3339, type SandboxTime, type WallTime } from '../domain/time.ts'
import type { StateRow } from '../engine/tables.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

/** How the sandbox's time follows the machine's, and the anchor it counts from. */
export type ClockRow = Extract<StateRow, { id: 'clock' }>

export type ClockRequest =
  | { readonly mode: 'real' }
  | { readonly mode: 'scaled'; readonly speed: number }
  | { readonly mode: 'frozen'; readonly now?: SandboxTime | undefined }

/** Well before the last year that can be written: what is made now still needs room to expire. */
export const LAST_INSTANT = Date.UTC(9000, 0, 1) as SandboxTime
export const MAX_SPEED = 1_000_000

/** What the clock of a row shows, in whole ms. */
export function currentTime(row: ClockRow, systemNow: WallTime): SandboxTime {
  if (row.mode === 'frozen') return Math.min(row.virtual, LAST_WRITABLE) as SandboxTime
  return Math.min(row.virtual + Math.floor(Math.max(0, systemNow - row.wall) * row.speed), LAST_INSTANT) as SandboxTime
}

/** Where a clock stands that is frozen at no named time and shall show the same on every run. */
const SAME_INSTANT = Date.UTC(2026, 4, 6, 12) as SandboxTime

/** The clock of a new sandbox: it shows the machine's time, or `now` when it is to stand there. */
export function initialClock(request: ClockRequest, systemNow: WallTime, repeatable = false): ClockRow {
  const row: ClockRow = { id: 'clock', mode: 'real', speed: 1, virtual: systemNow, wall: systemNow }
  if (repeatable && request.mode === 'frozen') return { ...row, mode: 'frozen', virtual: request.now ?? SAME_INSTANT }
  if (request.mode !== 'frozen' || request.now === undefined) return clockChange(row, request, systemNow)
  return { ...row, mode: 'frozen', virtual: request.now }
}

/** The row after a change of mode at `wallNow`. Time goes on from what `current` shows, never back (400). */
export function clockChange(current: ClockRow, request: ClockRequest, systemNow: WallTime): ClockRow {
  const now = currentTime(current, systemNow)
  const row: ClockRow = { id: 'clock', mode: request.mode, speed: 1, virtual: now, wall: systemNow }
  if (request.mode === 'frozen') return { ...row, virtual: notBefore(now, request.now ?? now, 'now') }
  if (request.mode === 'real') return row
  if (request.speed > 0 && request.speed <= MAX_SPEED) return { ...row, speed: request.speed }
  throw refuse('bad_request', `speed: expected a number above 0 and up to ${MAX_SPEED}, got ${request.speed}.`)
}

/** Checks that `time` is not before `now` and not after the last instant that can be written; else 400. */
function notBefore(now: SandboxTime, time: SandboxTime, field: string): SandboxTime {
  if (!(time <= LAST_INSTANT))
    throw refuse('bad_request', `${field}: the last possible time is ${rfc3339(LAST_INSTANT)}.`)
  if (time >= now) return time
  const gap = durationInWords(now - time)
  throw refuse(
    'not_allowed',
    `${field}: the sandbox's clock moves ahead only, and ${rfc3339(time)} is ${gap} before its ${rfc3339(now)}. Name a later time, or go back by restoring a snapshot or resetting everything.`,
  )
}

/** The instant an advance leads to from `now`. `by` in ms. 400 for one in the past. */
export function advanceGoal(
  request: { readonly to: SandboxTime } | { readonly by: number },
  now: SandboxTime,
): SandboxTime {
  return 'to' in request ? notBefore(now, request.to, 'to') : notBefore(now, addMs(now, request.by), 'by')
}

export interface Clock {
  /** Never less than it was, unless `replace` says so. */
  now(): SandboxTime
  /** What it would show if it were not held. */
  free(): SandboxTime
  /** The row that goes on from `time` (default: now) at this moment. */
  row(time?: SandboxTime): ClockRow
  /** Shows `time` until released. */
  hold(time: SandboxTime): void
  release(): void
  replace(row: ClockRow): void
  /** By how much (ms of wall time) it is ahead because the machine's time was set back since the start. */
  ahead(): number
}

/** What a clock looks at. */
export type ClockSource = Pick<SystemClock, 'now' | 'monotonic'>

/** ms of wall time more than went by, from which on the machine's time was set, or the machine slept. */
const STEP = 1000
/** ms; below, a time service may have done it. */
const NOTABLE = 10_000

/**
 * A clock that is held at its anchor until released. A machine whose time is set back does not take it along: it goes on
 * from where it was, and a step ahead of the machine is taken for the way back until both agree again. Any other step
 * ahead, or a sleep, does.
 * @param onSetBack told of each time that the machine's was set back, by so many ms
 */
export function createClock(machine: ClockSource, first: ClockRow, onSetBack: (ms: number) => void = () => {}): Clock {
  const systemNow = machine.now
  let anchor = first
  let seen = first.wall
  let ahead = 0
  /** Of the monotonic clock, when `seen` was; kept only while the machine's time is behind. */
  let elapsed = 0
  let last = Math.min(first.virtual, LAST_WRITABLE) as SandboxTime
  let held: SandboxTime | undefined = last

  function anchorAt(time: SandboxTime): void {
    const systemTime = systemNow()
    anchor = { ...anchor, virtual: time, wall: systemTime }
    seen = systemTime
  }

  function setBack(systemTime: WallTime): void {
    const seenBefore = seen
    ahead += seen - systemTime
    elapsed = machine.monotonic()
    anchorAt(last)
    if (seenBefore - systemTime >= NOTABLE) onSetBack(seenBefore - systemTime)
  }

  function wayBack(systemTime: WallTime): void {
    const passed = machine.monotonic()
    const more = systemTime - seen - (passed - elapsed)
    elapsed = passed
    if (more < STEP) return
    const taken = Math.min(ahead, Math.round(more))
    ahead -= taken
    anchor = { ...anchor, wall: anchor.wall + taken }
  }

  function free(): SandboxTime {
    const systemTime = systemNow()
    if (systemTime < seen) setBack(systemTime)
    else if (ahead > 0) wayBack(systemTime)
    seen = systemTime
    const time = currentTime(anchor, systemTime)
    if (time > last) last = time
    return last
  }

  return {
    now: () => held ?? free(),
    free,
    row(time) {
      return { ...anchor, virtual: time ?? held ?? free(), wall: systemNow() }
    },
    hold(time) {
      held = time
    },
    release() {
      held = undefined
    },
    replace(row) {
      anchor = row
      seen = row.wall
      if (ahead > 0) elapsed = machine.monotonic()
      // That of the machine again: of a reset.
      if (row.virtual === row.wall) ahead = 0
      last = row.virtual as SandboxTime
      held = undefined
    },
    ahead: () => ahead,
  }
}
