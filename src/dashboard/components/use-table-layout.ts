import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Column } from './list-definition.ts'
import { fittingColumns, type RowWindow, windowOf } from './table-layout.ts'

/** The heights of a row in px, in one line and in two lines. The style sheet has the same values. */
const WIDE_ROW = 36
const NARROW_ROW = 58

interface TableLayout<R> extends RowWindow {
  readonly rowHeight: number
  readonly columns: readonly Column<R>[]
}

/** Returns the rows and columns to render. Updates them when the user scrolls or the size changes. */
export function useTableLayout<R>(
  scroller: RefObject<HTMLElement | null>,
  all: readonly Column<R>[],
  count: number,
): TableLayout<R> {
  const isNarrow = useMedia('(max-width: 719px)')
  const [view, setView] = useState({ top: 0, height: 0, width: Number.POSITIVE_INFINITY })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    let frame = 0
    const update = () => {
      frame = 0
      setView({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth })
    }
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(update)
    }
    update()
    element.addEventListener('scroll', schedule, { passive: true })
    // Updates before the browser paints, so that no column is shown outside of the list.
    const sizes = new ResizeObserver(update)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', schedule)
      sizes.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
  const columns = useMemo(() => {
    if (isNarrow) return all.filter(({ narrow }) => narrow !== undefined)
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    return fittingColumns(all, view.width / rem)
  }, [all, isNarrow, view.width])
  const rowHeight = isNarrow ? NARROW_ROW : WIDE_ROW
  return { rowHeight, columns, ...windowOf(view.top, view.height, rowHeight, count) }
}

/** Returns whether the media query matches now. */
function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const update = () => setMatches(list.matches)
    update()
    list.addEventListener('change', update)
    return () => list.removeEventListener('change', update)
  }, [query])
  return matches
}
