// Keyboard shortcuts. While the user types only Escape works, and while a dialog is open no shortcut works.
import { useLayoutEffect, useRef } from 'preact/hooks'

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>

export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys)
  latest.current = keys
  // Runs before the browser paints, so that no key is lost once the user sees the view.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && isShortcut(event)) latest.current[event.key]?.(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return false
  const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  return !isTyping || key === 'Escape'
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
      if (run === undefined || !isShortcut(event)) return
      event.preventDefault()
      event.stopPropagation()
      run(event)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
}
