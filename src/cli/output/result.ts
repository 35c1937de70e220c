import { sanitizeLine } from '../../terminal/sanitize.ts'
import { wrapProse } from './lines.ts'
import type { Output } from './output.ts'

/** Prints the response of the API unchanged with `--json`, otherwise with `print`. Returns exit code 0. */
export async function printResult<T>(
  out: Output,
  value: T,
  print: (value: T) => void | Promise<void>,
): Promise<number> {
  if (out.json) out.document(value)
  else await print(value)
  return 0
}

export type Detail = readonly [
  title: string,
  value: string | number | boolean | null | undefined,
  look?: (text: string) => string,
]

/** Prints one object with a field per line. Empty fields are omitted. Control characters are removed from values. */
export function printDetails(out: Output, details: readonly Detail[]): void {
  const shown = details.filter(([, value]) => value !== undefined && value !== null && value !== '')
  const width = Math.max(...shown.map(([title]) => title.length))
  for (const [title, value, look] of shown) {
    const label = `${out.paint.dim(title.padEnd(width))}  `
    out.line(wrapProse(sanitizeLine(String(value)), out.columns, label, look))
  }
}
