// Settings as earlier versions stored them: they allowed any duration and any rate.
import { formatDuration, LONGEST_DURATION, parseDuration } from '../domain/time.ts'
import { LEAST_RATE, type SettingValues } from '../settings.ts'

/** What is stored, within the bounds of today. */
export function storedSettings(values: SettingValues = {}): SettingValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bounded(name, value)]))
}

function bounded(name: string, value: unknown): unknown {
  if (name === 'usdt_rate') return typeof value === 'number' && value > 0 ? Math.max(value, LEAST_RATE) : value
  if (Array.isArray(value)) return value.map((item) => bounded(name, item))
  const [, head = '', duration] = /^([^@]+@)?((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)$/.exec(String(value)) ?? []
  if (duration === undefined || parseDuration(duration) !== undefined) return value
  return `${head}${formatDuration(LONGEST_DURATION)}`
}
