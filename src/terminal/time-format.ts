// Times as people read them in a terminal.

/** `12:00:01.123`, local time of an instant in ms or RFC 3339. */
export function formatTimeOfDay(instant: number | string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return '--:--:--.---'
  const two = (value: number) => String(value).padStart(2, '0')
  const ms = String(date.getMilliseconds()).padStart(3, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`
}

/** `2026-05-06 12:00:01`, UTC. */
export function formatDateTime(instant: string): string {
  return /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.test(instant) ? instant.slice(0, 19).replace('T', ' ') : instant
}

/** `2026-05-06 12:00:01 UTC`. */
export function formatUtc(instant: string): string {
  return `${formatDateTime(instant)} UTC`
}

/** Whole milliseconds with their unit; from ten seconds on in seconds. */
export function formatElapsed(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

/** `10 s`, `5 min`, `2 h`, `1 d`: about how long something is away. */
export function formatApproxDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} d`
}
