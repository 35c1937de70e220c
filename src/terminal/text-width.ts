// Text cut and filled to columns of a terminal, also with Cyrillic, wide characters and combining marks.
import stringWidth from 'string-width'
import { isPlainAscii } from './ascii-metrics.ts'

/** Columns the text takes. */
export function displayWidth(text: string): number {
  return isPlainAscii(text) ? text.length : stringWidth(text)
}

/** At most `columns` wide; where something was cut, the last column is an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns <= 0) return ''
  return `${takeColumns(text, columns - 1)}…`
}

/** Exactly `columns` wide. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const fitting = truncate(text, columns)
  const room = ' '.repeat(Math.max(0, columns - displayWidth(fitting)))
  return side === 'left' ? fitting + room : room + fitting
}

/** Lines of at most `columns`, cut wherever they are full: bytes are shown as they are. */
export function hardWrap(text: string, columns: number): readonly string[] {
  const width = Math.max(1, columns)
  return text.split('\n').flatMap((line) => (isPlainAscii(line) ? wrapAscii(line, width) : wrapGraphemes(line, width)))
}

function wrapAscii(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (let at = 0; at < text.length; at += width) lines.push(text.slice(at, at + width))
  return lines.length === 0 ? [''] : lines
}

function wrapGraphemes(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const { segment } of GRAPHEMES.segment(text)) {
    const wide = stringWidth(segment)
    if (used + wide > width) {
      lines.push(current)
      current = ''
      used = 0
    }
    current += segment
    used += wide
  }
  return [...lines, current]
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function takeColumns(text: string, columns: number): string {
  if (isPlainAscii(text)) return text.slice(0, columns)
  let taken = ''
  let width = 0
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += stringWidth(segment)
    if (width > columns) break
    taken += segment
  }
  return taken
}
