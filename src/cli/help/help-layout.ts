// Lays out help in two columns. The second one is wrapped to the terminal.
import type { Paint } from '../output/colour.ts'
import { wrapWords } from '../output/wrap-words.ts'

export interface PaintedHelp {
  readonly paint: Paint
  readonly columns: number
}

/** Returns a heading and its lines, or an empty string if there are no lines. */
export function section(title: string, lines: readonly string[], { paint }: PaintedHelp): string {
  return lines.length === 0 ? '' : `${paint.bold(title)}\n${lines.join('\n')}\n`
}

export function rows(
  pairs: readonly (readonly [left: string, right: string])[],
  { paint, columns }: PaintedHelp,
): string[] {
  const width = Math.min(Math.max(0, ...pairs.map(([left]) => left.length)), 44)
  const room = Math.max(24, columns - width - 4)
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...rest] = wrapWords(right, room)
    const indent = ' '.repeat(width + 4)
    const head =
      left.length > width
        ? [`  ${paint.name(left)}`, `${indent}${first}`]
        : [`  ${paint.name(left)}${' '.repeat(width - left.length + 2)}${first}`]
    return [...head.map((line) => line.trimEnd()), ...rest.map((line) => `${indent}${line}`)]
  })
}
