// A window over a long list of rows of equal height: only the rows near the visible part exist in the page.
export interface RowWindow {
  readonly first: number
  readonly end: number
}

/** Rows above and below the visible part, so that scrolling shows no gap. */
const OVERSCAN = 6

/** Returns the rows to render at a scroll position. */
export function windowOf(scrollTop: number, height: number, rowHeight: number, count: number): RowWindow {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - OVERSCAN)
  return { first, end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN) }
}
