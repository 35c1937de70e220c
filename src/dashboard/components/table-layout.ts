// Chooses which part of a long list is rendered: the rows near the visible part, and the columns that fit.

export interface RowWindow {
  readonly first: number
  readonly end: number
}

/** Rows above and below the visible part, so that scrolling shows no gap. */
const OVERSCAN = 6

/** Returns the rows to render at a scroll position. All rows have the same height. */
export function windowOf(scrollTop: number, height: number, rowHeight: number, count: number): RowWindow {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - OVERSCAN)
  return { first, end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN) }
}

/** The space between two columns and at both ends of a row, in rem. The style sheet uses the same value. */
const GAP = 1

/**
 * Omits columns from the right until the others fit. The first column always remains.
 * @param width the width of the list in rem
 */
export function fittingColumns<C extends { readonly minWidth: number }>(
  columns: readonly C[],
  width: number,
): readonly C[] {
  let left = width - GAP
  return columns.filter(({ minWidth }, at) => {
    left -= minWidth + GAP
    return at === 0 || left >= 0
  })
}

/** The average width of a character in rem, with a margin for wide ones. */
const CHARACTER = 0.5

/**
 * Returns the approximate width of a text in rem. An exact measurement would need the browser's layout for each row.
 */
export const textWidth = (text: string): number => text.length * CHARACTER
