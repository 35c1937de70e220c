import { sanitizeLine } from '../../../terminal/sanitize.ts'

/** Returns a value in the syntax of `psp settings set`, with lists separated by commas. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return sanitizeLine(value.join(','))
  return value === '' ? '""' : sanitizeLine(String(value))
}
