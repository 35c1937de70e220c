// Wraps lines at words with a hanging indent. If stdout is not a terminal, lines are not wrapped.
import { stripVTControlCharacters } from 'node:util'
import { hardWrap } from '../../terminal/text-width.ts'
import { wrapWords } from './wrap-words.ts'

/** The indent below text that follows a time: `12:00:01.123  `. */
export const UNDER_TIME = ' '.repeat(14)

/** Minimum columns for text on a narrow terminal. */
const NARROWEST = 20

/**
 * If a line is too long, shortens its UUIDs to `3bac26d9-…`, then wraps it between words.
 * @param columns absent if stdout is not a terminal
 * @param indent of the wrapped lines
 */
export function wrapLine(line: string, columns: number | undefined, indent: string): string {
  if (columns === undefined || stripVTControlCharacters(line).length <= columns) return line
  const short = line.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1-…')
  const [first = '', ...rest] = wrapWords(short, columns)
  const below = rest.length === 0 ? [] : wrapWords(rest.join(' '), columnsAfter(columns, indent))
  return [first.trimEnd(), ...below.map((part) => `${indent}${part.trim()}`)].join('\n')
}

/** Returns the rows of a text with `first` before the first row and `indent` before the others. Long words are split. */
export function wrapBlock(text: string, columns: number | undefined, first: string, indent = first): string[] {
  const room = columns === undefined ? undefined : columnsAfter(columns, indent)
  const rows = room === undefined ? text.split('\n') : wrapWords(text, room).flatMap((row) => hardWrap(row, room))
  return rows.map((row, at) => `${at === 0 ? first : indent}${row}`)
}

function columnsAfter(columns: number, indent: string): number {
  return Math.max(NARROWEST, columns - indent.length)
}
