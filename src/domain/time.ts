// Spec 1: times in RFC 3339 and UTC, and durations in the format of the settings: 500ms, 15s, 20m, 2h, 3d, 1h30m.

declare const sandbox: unique symbol
declare const systemTime: unique symbol

/** Rounds ms to three decimal places, because further digits of a clock are noise. */
export function wholeMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** An instant of the sandbox's clock, in ms since the Unix epoch. The clock may be frozen, scaled or ahead. */
export type SandboxTime = number & { readonly [sandbox]: true }

/** An instant of the system clock, in ms since the Unix epoch. Receivers compare it with the time of a signature. */
export type WallTime = number & { readonly [systemTime]: true }

/** The last instant in RFC 3339, which has four digits for the year, in ms. */
export const LAST_RFC3339_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const FIRST_RFC3339_INSTANT = Date.parse('0000-01-01T00:00:00Z')

/** Adds `ms` to an instant of either clock, up to {@link LAST_RFC3339_INSTANT}. */
export function addMs<T extends SandboxTime | WallTime>(time: T, ms: number): T {
  return Math.min(time + ms, LAST_RFC3339_INSTANT) as T
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A hundred years in ms, so that a current time plus a duration stays below {@link LAST_RFC3339_INSTANT}. */
export const LONGEST_DURATION = 36_500 * UNITS.d

/** Parses a duration to ms: `1h30m` is 5400000. Returns `undefined` for other text, and above 36500d. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS]
  }
  const ms = Math.round(total)
  return ms <= LONGEST_DURATION ? ms : undefined
}

/** Formats ms so that `parseDuration` returns the same number: 5400000 is `1h30m`, and 0 is `0s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s'
  let rest = ms
  let text = ''
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const count = Math.floor(rest / UNITS[unit])
    if (count > 0) text += `${count}${unit}`
    rest -= count * UNITS[unit]
  }
  return text
}

/** Formats ms for people in the two largest units: `45 ms`, `10 s`, `1 min 30 s`, `48 h`, `4 d 8 h`. */
export function durationInWords(ms: number): string {
  if (ms < UNITS.s) return `${Math.max(0, Math.round(ms))} ms`
  const total = Math.round(ms / UNITS.s) * UNITS.s
  const [[large, largeMs], [small, smallMs]] = largestUnits(total)
  const rounded = Math.round(total / smallMs) * smallMs
  const rest = (rounded % largeMs) / smallMs
  const whole = `${Math.floor(rounded / largeMs)} ${large}`
  return rest === 0 ? whole : `${whole} ${rest} ${small}`
}

/** Returns the largest unit in a duration of at least 1 s, and the next smaller one. Seconds have no smaller one. */
function largestUnits(total: number): readonly [large: NamedUnit, small: NamedUnit] {
  // Retry intervals are shown in hours, up to the longest one of 48 h.
  if (total > 2 * UNITS.d) return [DAYS, HOURS]
  if (total >= UNITS.h) return [HOURS, MINUTES]
  return [total >= UNITS.m ? MINUTES : SECONDS, SECONDS]
}

type NamedUnit = readonly [name: string, ms: number]

const DAYS: NamedUnit = ['d', UNITS.d]
const HOURS: NamedUnit = ['h', UNITS.h]
const MINUTES: NamedUnit = ['min', UNITS.m]
const SECONDS: NamedUnit = ['s', UNITS.s]

/**
 * Formats an instant as RFC 3339 in UTC with `fraction` digits: `2026-05-06T12:00:00.000Z`. The year has four digits,
 * so instants outside that range become its first or last instant.
 */
export function rfc3339(instant: number, fraction: 0 | 3 | 6 | 9 = 3): string {
  const time = instant >= FIRST_RFC3339_INSTANT ? Math.min(instant, LAST_RFC3339_INSTANT) : FIRST_RFC3339_INSTANT
  const second = Math.floor(time / 1000)
  const head = secondText(second)
  if (fraction === 0) return `${head}Z`
  const ms = String(Math.trunc(time) - second * 1000).padStart(3, '0')
  return fraction === 3 ? `${head}.${ms}Z` : `${head}.${ms.padEnd(fraction, '0')}Z`
}

/** Minutes, hours and days are not multiples of 7 s, so an instant and its deadline use different slots. */
const CACHE_SLOTS = 7
const seconds: { readonly second: number; readonly text: string }[] = []

/** Returns `2026-05-06T12:00:00`. Cached, because most instants are in the same few seconds and a Date is slow. */
function secondText(second: number): string {
  const slot = Math.abs(second % CACHE_SLOTS)
  const kept = seconds[slot]
  if (kept?.second === second) return kept.text
  const text = new Date(second * 1000).toISOString().slice(0, -5)
  seconds[slot] = { second, text }
  return text
}

/** Parses RFC 3339 with any offset to ms. Returns `undefined` for other text, or if the day does not exist. */
export function parseInstant(text: string): number | undefined {
  const form = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/.exec(text)
  if (form === null || !isDay(form[1] ?? '')) return undefined
  const ms = Date.parse(text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(ms) ? undefined : ms
}

/** Whether the day exists. `Date.parse` reads February 30 as March 2. */
function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}

/** The subset of the system clock's timers that most modules need. */
export interface Timers {
  setTimeout(fn: () => void, ms: number): { cancel(): void }
}
