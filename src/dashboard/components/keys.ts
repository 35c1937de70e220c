// Keyboard shortcuts. While the user types only Escape works, and while a dialog is open no shortcut works.
import { useLayoutEffect, useRef } from 'preact/hooks'

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>

export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys)
  latest.current = keys
  // Runs before the browser paints, so that no key is lost once the user sees the view.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (document.querySelector('dialog[open]') !== null) return
      if (isTyping(event.target) && event.key !== 'Escape') return
      const run = latest.current[event.key]
      if (run === undefined) return
      run(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

/** The second key of a sequence is accepted for this many ms. */
const SEQUENCE_TIME = 1500

/** Runs the function of a key that follows `first`. No other handler receives the second key. */
export function useKeySequence(first: string, keys: KeyMap): void {
  const latest = useRef(keys)
  latest.current = keys
  const until = useRef(0)
  useKeys({
    [first]: ({ timeStamp }) => {
      until.current = timeStamp + SEQUENCE_TIME
    },
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.timeStamp > until.current) return
      until.current = 0
      const run = latest.current[event.key]
      if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      run(event)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
}
