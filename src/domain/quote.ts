/** Formats a value as JSON for messages. Also shows numbers that JSON does not support, such as `Infinity` and `10n`. */
export function quote(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'bigint') return `${value}n`
  return JSON.stringify(value) ?? 'nothing'
}
