// Formats times and durations for the terminal.

/**
 * Formats local time as `12:00:01.123`.
 * @param instant ms since the Unix epoch, or RFC 3339
 */
export function formatTimeOfDay(instant: number | string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return '--:--:--.---'
  const two = (value: number) => String(value).padStart(2, '0')
  const ms = String(date.getMilliseconds()).padStart(3, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`
}

/** Formats RFC 3339 in UTC as `2026-05-06 12:00:01`. */
export function formatDateTime(instant: string): string {
  return /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.test(instant) ? instant.slice(0, 19).replace('T', ' ') : instant
}

/** Formats RFC 3339 in UTC as `2026-05-06 12:00:01 UTC`. */
export function formatUtc(instant: string): string {
  return `${formatDateTime(instant)} UTC`
}

/** Formats a duration as `45 ms`, or from 10 s as `12.3 s`. */
export function formatElapsed(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

/** Rounds a duration to one unit: `10 s`, `5 min`, `2 h`, `1 d`. */
export function formatApproxDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} d`
}
