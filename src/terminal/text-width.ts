// Text by terminal columns, with wide characters and combining marks.
import stringWidth from 'string-width'
import { isPlainAscii } from './ascii-metrics.ts'

/** Returns the width of the text in terminal columns. */
export function displayWidth(text: string): number {
  return isPlainAscii(text) ? text.length : stringWidth(text)
}

/** Limits the text to `columns`. If text is removed, the last column is an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns <= 0) return ''
  return `${takeColumns(text, columns - 1)}…`
}

/** Truncates or pads the text to exactly `columns`. */
export function pad(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const truncated = truncate(text, columns)
  const padding = ' '.repeat(Math.max(0, columns - displayWidth(truncated)))
  return align === 'left' ? truncated + padding : padding + truncated
}

/** Breaks each line after `columns` columns, even inside words. Unlike `wrapWords`, it keeps spaces at the breaks. */
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
    const columns = stringWidth(segment)
    if (used + columns > width) {
      lines.push(current)
      current = ''
      used = 0
    }
    current += segment
    used += columns
  }
  return [...lines, current]
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function takeColumns(text: string, columns: number): string {
  if (isPlainAscii(text)) return text.slice(0, columns)
  let kept = ''
  let width = 0
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += stringWidth(segment)
    if (width > columns) break
    kept += segment
  }
  return kept
}
