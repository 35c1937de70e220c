// Sizes and positions of the parts of the screen.
import { displayWidth } from '../../terminal/text-width.ts'
import type { Size, State } from '../state/state.ts'

export const MIN_SIZE: Size = { columns: 40, rows: 8 }

/** A terminal with fewer rows shows one line of the header, and lists and details without a frame. */
const FULL_ROWS = 16

/** The width from which list and detail are shown side by side. */
const SPLIT_WIDTH = 120

const FOOTER_HEIGHT = 1

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows
}

export function isSplit({ columns }: Size): boolean {
  return columns >= SPLIT_WIDTH
}

export function isCompact({ rows }: Size): boolean {
  return rows < FULL_ROWS
}

/** Returns the lines between header and footer, including the frame. The last line of the screen is never used. */
export function bodyHeight(size: Size): number {
  return Math.max(3, size.rows - 1 - headerHeight(size) - FOOTER_HEIGHT)
}

/** Whether a compact screen shows the notice in its header. A longer notice covers the last rows. */
export function isNoticeInHeader({ notice, size }: Pick<State, 'notice' | 'size'>): boolean {
  return notice !== undefined && isCompact(size) && displayWidth(notice.text) < size.columns
}

export function headerHeight(size: Size): number {
  return isCompact(size) ? 1 : 2
}

/** Returns the number of lines inside a frame. */
export function contentHeight(size: Size, height = bodyHeight(size)): number {
  return height - (isCompact(size) ? 1 : 2)
}

/** Returns the width inside a frame. A compact frame has no sides. */
export function contentWidth(size: Size, width: number): number {
  return isCompact(size) ? width : width - 4
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

/** Returns how many rows or lines the page keys move. The titles take one line of a list. */
export function pageSize({ size, focus }: Pick<State, 'size' | 'focus'>): number {
  return Math.max(1, contentHeight(size) - (focus === 'list' ? 1 : 0))
}
