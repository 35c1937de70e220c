import { sanitizeLine } from '../../../terminal/sanitize.ts'

/** A value as `psp settings set` takes it: lists with commas. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return sanitizeLine(value.join(','))
  return value === '' ? '""' : sanitizeLine(String(value))
}
