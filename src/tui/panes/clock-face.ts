// Times as the view writes them: local ones, as every terminal program does.
import { about, timeOfDay } from '../../terminal/clock-text.ts'

/** `2026-05-06 12:00:01`. @param instant ms since the Unix epoch */
export function dateTime(instant: number): string {
  const date = new Date(instant)
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${timeOnly(instant)}`
}

/** `12:00:01`. @param instant ms since the Unix epoch */
export function timeOnly(instant: number): string {
  return timeOfDay(instant).slice(0, 8)
}

/** `3 s`: how long something is past. */
export function age(at: string, now: number): string {
  const since = Date.parse(at)
  return Number.isNaN(since) ? '' : about(Math.max(0, now - since))
}

/** `in 10 s`, or `due`. */
export function until(at: string | undefined, now: number): string {
  if (at === undefined) return ''
  const left = Date.parse(at) - now
  return left > 0 ? `in ${about(left)}` : 'due'
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
