// One line of the screen, of parts with looks of their own, exactly as wide as it is to be.

import { sanitizeLine } from '../../terminal/sanitize.ts'
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import type { LookName, Looks } from './looks.ts'

export type Part = string | readonly [text: string, look: LookName]

export type Lines = readonly (readonly Part[])[]

/** Paints the parts, cuts what is too much and fills up with spaces. The text of parts must be plain. */
export function line(parts: readonly Part[], width: number, looks: Looks): string {
  let room = width
  let painted = ''
  for (const part of parts) {
    if (room <= 0) break
    const [text, look] = typeof part === 'string' ? ([part, 'plain'] as const) : part
    const fitting = truncate(text, room)
    room -= displayWidth(fitting)
    painted += fitting === '' ? '' : looks[look](fitting)
  }
  return room > 0 ? painted + ' '.repeat(room) : painted
}

/** The left parts, then spaces, then the right ones, which go first where both do not fit. */
export function spread(left: readonly Part[], right: readonly Part[], width: number, looks: Looks): string {
  const wide = widthOf(right)
  if (widthOf(left) + wide + 1 > width) return line(left, width, looks)
  return line(left, width - wide, looks) + line(right, wide, looks)
}

export function widthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + displayWidth(typeof part === 'string' ? part : part[0]), 0)
}

/** Text of merchants and receivers, without what could move a cursor or turn the writing. */
export function stranger(text: string | number | null | undefined): string {
  return text === null || text === undefined ? '' : sanitizeLine(String(text))
}
