/** A value as JSON, for messages. Numbers that JSON cannot hold are shown, too: `Infinity`, `10n`. */
export function quote(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'bigint') return `${value}n`
  return JSON.stringify(value) ?? 'nothing'
}
