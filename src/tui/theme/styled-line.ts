// One line of the screen, of parts with theme of their own, exactly as wide as it is to be.

import { sanitizeLine } from '../../terminal/sanitize.ts'
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import type { StyleName, Theme } from './theme.ts'

export type Span = string | readonly [text: string, style: StyleName]

export type StyledLines = readonly (readonly Span[])[]

/** Paints the parts, cuts what is too much and fills up with spaces. The text of parts must be plain. */
export function renderLine(parts: readonly Span[], width: number, theme: Theme): string {
  let room = width
  let painted = ''
  for (const part of parts) {
    if (room <= 0) break
    const [text, style] = typeof part === 'string' ? ([part, 'plain'] as const) : part
    const fitting = truncate(text, room)
    room -= displayWidth(fitting)
    painted += fitting === '' ? '' : theme[style](fitting)
  }
  return room > 0 ? painted + ' '.repeat(room) : painted
}

/** The left parts, then spaces, then the right ones, which go first where both do not fit. */
export function renderLineWithRight(
  left: readonly Span[],
  right: readonly Span[],
  width: number,
  theme: Theme,
): string {
  const wide = spansWidth(right)
  if (spansWidth(left) + wide + 1 > width) return renderLine(left, width, theme)
  return renderLine(left, width - wide, theme) + renderLine(right, wide, theme)
}

export function spansWidth(parts: readonly Span[]): number {
  return parts.reduce((sum, part) => sum + displayWidth(typeof part === 'string' ? part : part[0]), 0)
}

/** Text of merchants and receivers, without what could move a cursor or turn the writing. */
export function sanitizeValue(text: string | number | null | undefined): string {
  return text === null || text === undefined ? '' : sanitizeLine(String(text))
}
