// Where things stand on the screen.
import type { Size } from '../state/state.ts'

/** Below this nothing useful fits. */
export const MIN_SIZE: Size = { columns: 60, rows: 16 }

/** From here on the detail stands beside the list. */
const SPLIT_WIDTH = 120

const HEADER_HEIGHT = 2
const FOOTER_HEIGHT = 1

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows
}

export function isSplit({ columns }: Size): boolean {
  return columns >= SPLIT_WIDTH
}

/** Lines between header and footer, with the frame's own two. The last line of the screen stays free. */
export function bodyHeight({ rows }: Size): number {
  return Math.max(3, rows - 1 - HEADER_HEIGHT - FOOTER_HEIGHT)
}

/** Columns of list and detail, frames included. */
export function splitWidths({ columns }: Size): readonly [list: number, detail: number] {
  const list = Math.max(68, Math.floor(columns * 0.52))
  return [list, columns - list]
}

/** Of `count` rows the first that is shown, so that the one at `index` stays where it is while others come above it. */
export function firstVisibleIndex(count: number, index: number, height: number): number {
  return Math.max(0, Math.min(index - Math.floor(height / 2), count - height))
}
