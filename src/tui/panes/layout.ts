// Sizes and positions of the parts of the screen.
import type { Size, State } from '../state/state.ts'

/** The smallest size of the terminal that the view supports. */
export const MIN_SIZE: Size = { columns: 60, rows: 16 }

/** The width from which list and detail are shown side by side. */
const SPLIT_WIDTH = 120

const HEADER_HEIGHT = 2
const FOOTER_HEIGHT = 1

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows
}

export function isSplit({ columns }: Size): boolean {
  return columns >= SPLIT_WIDTH
}

/** Returns the lines between header and footer, including the frame. The last line of the screen is never used. */
export function bodyHeight({ rows }: Size): number {
  return Math.max(3, rows - 1 - HEADER_HEIGHT - FOOTER_HEIGHT)
}

/** Returns the widths of list and detail, including their frames. */
export function splitWidths({ columns }: Size): readonly [list: number, detail: number] {
  const list = Math.max(68, Math.floor(columns * 0.52))
  return [list, columns - list]
}

/** Returns the index of the first row shown, so that the row at `index` does not move when rows are added above it. */
export function firstVisibleIndex(count: number, index: number, height: number): number {
  return Math.max(0, Math.min(index - Math.floor(height / 2), count - height))
}

/** Returns the rows of a page: the body without the two lines of the frame, and without the titles of a list. */
export function pageSize({ size, focus }: Pick<State, 'size' | 'focus'>): number {
  return Math.max(1, bodyHeight(size) - (focus === 'list' ? 3 : 2))
}
