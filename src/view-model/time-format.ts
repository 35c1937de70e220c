// Formats times of the sandbox's clock, in UTC like the API and every table of `psp`.
import { formatApproxDuration } from '../domain/time-text.ts'

/**
 * `2026-05-06 12:00:01`.
 * @param instant ms since the Unix epoch, or RFC 3339
 */
export function formatDateTime(instant: number | string): string {
  return formatIso(instant, (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`)
}

/**
 * `12:00:01`.
 * @param instant ms since the Unix epoch
 */
export function formatTime(instant: number): string {
  return formatIso(instant, (iso) => iso.slice(11, 19))
}

/**
 * `2026-05-06`.
 * @param instant ms since the Unix epoch, or RFC 3339
 */
export function formatDate(instant: number | string): string {
  return formatIso(instant, (iso) => iso.slice(0, 10))
}

export type TimeFormat = (instant: string | undefined) => string

/**
 * Returns one format for all times of a column: `12:00:01.123` if all are on one day, `05-06 12:00:01` if they span
 * days, and the full date if they span years.
 */
export function chooseTimeFormat(instants: readonly (number | string | undefined)[]): TimeFormat {
  const days = instants.flatMap((instant) => (instant === undefined ? [] : [formatDate(instant)])).filter(Boolean)
  const from = days.every((day) => day === days[0]) ? 11 : days.every((day) => isSameYear(day, days[0])) ? 5 : 0
  const to = from === 11 ? 23 : 19
  return (instant) => (instant === undefined ? '' : formatIso(instant, (iso) => iso.slice(from, to).replace('T', ' ')))
}

export function spansDays(instants: readonly string[]): boolean {
  return new Set(instants.map(formatDate)).size > 1
}

/** Formats the time since `at` as `3 s`. */
export function formatAge(at: string, now: number): string {
  const since = Date.parse(at)
  return Number.isNaN(since) ? '' : formatApproxDuration(Math.max(0, now - since))
}

/** Formats the time until `at` as `in 10 s`, or `due` if it has passed. */
export function formatUntil(at: string | undefined, now: number): string {
  if (at === undefined) return ''
  const left = Date.parse(at) - now
  return left > 0 ? `in ${formatApproxDuration(left)}` : 'due'
}

function isSameYear(a: string, b = ''): boolean {
  return a.slice(0, 4) === b.slice(0, 4)
}

function formatIso(instant: number | string, cut: (iso: string) => string): string {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? '' : cut(date.toISOString())
}
