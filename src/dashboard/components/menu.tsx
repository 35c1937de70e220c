// A button that opens a list of actions. Built on <details>, which opens without a script.
import { useEffect, useRef } from 'preact/hooks'

export interface MenuItem {
  readonly text: string
  run(): void
}

export function Menu({ title, items }: { readonly title: string; readonly items: readonly MenuItem[] }) {
  const element = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const isOutside = event.target instanceof Node && element.current?.contains(event.target) !== true
      if (isOutside && element.current !== null) element.current.open = false
    }
    addEventListener('click', close)
    return () => removeEventListener('click', close)
  }, [])
  return (
    <details
      class="menu"
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || element.current?.open !== true) return
        event.stopPropagation()
        element.current.open = false
        element.current.querySelector('summary')?.focus()
      }}
    >
      <summary class="button">{title}</summary>
      <ul class="menu-items">
        {items.map(({ text, run }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => {
                if (element.current !== null) element.current.open = false
                run()
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
