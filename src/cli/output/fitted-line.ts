// Lines for people, broken between words and under their own text; where stdout is no terminal they stay whole.
import { stripVTControlCharacters } from 'node:util'
import { hardWrap } from '../../terminal/text-width.ts'
import { wrap } from './wrap.ts'

/** Under the text that follows a time: `12:00:01.123  `. */
export const UNDER_TIME = ' '.repeat(14)

/** Room that is left for text however narrow the terminal is. */
const NARROWEST = 20

/**
 * Where the line would break, its long ids are shortened: `3bac26d9-…`; then it is broken between words.
 * @param columns absent: no terminal
 * @param indent of what goes below
 */
export function fitted(line: string, columns: number | undefined, indent: string): string {
  if (columns === undefined || stripVTControlCharacters(line).length <= columns) return line
  const short = line.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1-…')
  const [first = '', ...rest] = wrap(short, columns)
  const below = rest.length === 0 ? [] : wrap(rest.join(' '), roomBeside(columns, indent))
  return [first.trimEnd(), ...below.map((part) => `${indent}${part.trim()}`)].join('\n')
}

/** A block of text behind `first`, and behind `indent` from its second row on; words longer than a row are cut. */
export function block(text: string, columns: number | undefined, first: string, indent = first): string[] {
  const room = columns === undefined ? undefined : roomBeside(columns, indent)
  const rows = room === undefined ? text.split('\n') : wrap(text, room).flatMap((row) => hardWrap(row, room))
  return rows.map((row, at) => `${at === 0 ? first : indent}${row}`)
}

function roomBeside(columns: number, indent: string): number {
  return Math.max(NARROWEST, columns - indent.length)
}
