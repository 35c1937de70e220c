// Spec 1: times are RFC 3339 in UTC. Durations are written as in the settings: 500ms, 15s, 20m, 2h, 3d, 1h30m.

declare const sandbox: unique symbol
declare const systemTime: unique symbol

/** ms to three digits: what a clock says beyond them is noise. */
export function wholeMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** An instant on the sandbox's own clock, in ms since the Unix epoch. It may be frozen, scaled or moved ahead. */
export type SandboxTime = number & { readonly [sandbox]: true }

/** An instant on the machine's clock, in ms since the Unix epoch. Receivers compare signatures with this one. */
export type WallTime = number & { readonly [systemTime]: true }

/** RFC 3339 has four digits for the year, ms. */
export const LAST_WRITABLE = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const FIRST_WRITABLE = Date.parse('0000-01-01T00:00:00Z')

/** Adds `ms` to an instant and stays on the same clock, not beyond what can be written. */
export function addMs<T extends SandboxTime | WallTime>(time: T, ms: number): T {
  return Math.min(time + ms, LAST_WRITABLE) as T
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A hundred years, ms: what is due later can be written, too. */
export const LONGEST_DURATION = 36_500 * UNITS.d

/**
 * `1h30m` to 5400000 (ms); `undefined` when the text is no duration, or one of more than 36500d. A bare number is
 * refused: its unit is unknown.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS]
  }
  const ms = Math.round(total)
  return ms <= LONGEST_DURATION ? ms : undefined
}

/** 5400000 (ms) to `1h30m`; 0 to `0s`. The result parses back to the same number. */
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

/** How long something takes, as people read it, in its two largest units: `45 ms`, `10 s`, `1 min 30 s`, `48 h`, `4 d 8 h`. */
export function durationInWords(ms: number): string {
  if (ms < UNITS.s) return `${Math.max(0, Math.round(ms))} ms`
  const whole = Math.round(ms / UNITS.s) * UNITS.s
  // The steps of the ladder of webhooks are told in hours, up to its last one.
  const largest = whole > 2 * UNITS.d ? 0 : WORDS.findIndex(([, unit]) => unit < UNITS.d && unit <= whole)
  const [[name, unit], next] = [WORDS[largest] ?? SECONDS, WORDS[largest + 1]]
  const smallest = next?.[1] ?? unit
  const rounded = Math.round(whole / smallest) * smallest
  const [count, rest] = [Math.floor(rounded / unit), Math.round((rounded % unit) / smallest)]
  return next === undefined || rest === 0 ? `${count} ${name}` : `${count} ${name} ${rest} ${next[0]}`
}

const SECONDS = ['s', UNITS.s] as const
const WORDS = [['d', UNITS.d], ['h', UNITS.h], ['min', UNITS.m], SECONDS] as const

/**
 * RFC 3339 in UTC with `fraction` digits (0, 3, 6 or 9): `2026-05-06T12:00:00.000Z`. The year has four digits: an instant
 * before or after that is written as the first or last there is.
 */
export function rfc3339(instant: number, fraction: 0 | 3 | 6 | 9 = 3): string {
  const time = instant >= FIRST_WRITABLE ? Math.min(instant, LAST_WRITABLE) : FIRST_WRITABLE
  const second = Math.floor(time / 1000)
  const head = secondText(second)
  if (fraction === 0) return `${head}Z`
  const ms = String(Math.trunc(time) - second * 1000).padStart(3, '0')
  return fraction === 3 ? `${head}.${ms}Z` : `${head}.${ms.padEnd(fraction, '0')}Z`
}

/** Minutes, hours and days are no multiples of it, so an instant and its deadline do not share a slot. */
const SECONDS_KEPT = 7
const seconds: { readonly second: number; readonly text: string }[] = []

/** `2026-05-06T12:00:00`; most instants that are written lie in a few seconds, and a Date is dear. */
function secondText(second: number): string {
  const slot = Math.abs(second % SECONDS_KEPT)
  const kept = seconds[slot]
  if (kept?.second === second) return kept.text
  const text = new Date(second * 1000).toISOString().slice(0, -5)
  seconds[slot] = { second, text }
  return text
}

/**
 * Parses an RFC 3339 instant (any offset) to ms; `undefined` for anything else, also for a date without a time and for a
 * day or an hour that the calendar does not have.
 */
export function parseInstant(text: string): number | undefined {
  const form = /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/.exec(text)
  if (form === null || !isDay(form[1] ?? '')) return undefined
  const ms = Date.parse(text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(ms) ? undefined : ms
}

/** `Date.parse` takes February 30 for March 2. */
function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}
