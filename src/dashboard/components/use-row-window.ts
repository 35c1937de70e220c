import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type RowWindow, windowOf } from './row-window.ts'

/** Returns the rows to render. Updates them when the user scrolls or the size changes. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number): RowWindow {
  const [view, setView] = useState({ top: 0, height: 0 })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let frame = 0
    const update = () => {
      frame = 0
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(update)
    }
    update()
    element.addEventListener('scroll', schedule, { passive: true })
    const sizes = new ResizeObserver(schedule)
    sizes.observe(element)
    return () => {
      element.removeEventListener('scroll', schedule)
      sizes.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
  return windowOf(view.top, view.height, rowHeight, count)
}
