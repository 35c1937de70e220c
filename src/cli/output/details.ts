import { sanitizeLine } from '../../terminal/sanitize.ts'
import type { Output } from './output.ts'
import { wrapWords } from './wrap-words.ts'

export type Detail = readonly [
  title: string,
  value: string | number | boolean | null | undefined,
  look?: (text: string) => string,
]

/** Prints one object with a field per line. Empty fields are omitted. Control characters are removed from values. */
export function printDetails(out: Output, details: readonly Detail[]): void {
  const shown = details.filter(([, value]) => value !== undefined && value !== null && value !== '')
  const width = Math.max(...shown.map(([title]) => title.length))
  for (const [title, value, look = (text: string) => text] of shown) {
    const text = sanitizeLine(String(value))
    const [first = '', ...more] = out.columns === undefined ? [text] : wrapWords(text, out.columns - width - 2)
    out.line(`${out.paint.dim(title.padEnd(width))}  ${look(first)}`)
    for (const line of more) out.line(`${' '.repeat(width)}  ${look(line)}`)
  }
}
