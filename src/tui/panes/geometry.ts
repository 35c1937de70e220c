// Where things stand on the screen.
import type { Size } from '../state/state.ts'

/** Below this nothing useful fits. */
export const SMALLEST: Size = { columns: 60, rows: 16 }

/** From here on the detail stands beside the list. */
const WIDE = 120

const HEADER = 2
const FOOTER = 1

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < SMALLEST.columns || rows < SMALLEST.rows
}

export function isWide({ columns }: Size): boolean {
  return columns >= WIDE
}

/** Lines between header and footer, with the frame's own two. The last line of the screen stays free. */
export function bodyHeight({ rows }: Size): number {
  return Math.max(3, rows - 1 - HEADER - FOOTER)
}

/** Columns of list and detail, frames included. */
export function split({ columns }: Size): readonly [list: number, detail: number] {
  const list = Math.max(68, Math.floor(columns * 0.52))
  return [list, columns - list]
}

/** Of `count` rows the first that is shown, so that the one at `index` stays where it is while others come above it. */
export function firstShown(count: number, index: number, height: number): number {
  return Math.max(0, Math.min(index - Math.floor(height / 2), count - height))
}
