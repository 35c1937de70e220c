import { plainLine } from '../../../terminal/plain-text.ts'

/** A value as `psp settings set` takes it: lists with commas. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return plainLine(value.join(','))
  return value === '' ? '""' : plainLine(String(value))
}
