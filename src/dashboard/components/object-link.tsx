import type { ComponentChildren } from 'preact'
import { useStore } from '../state/store.ts'

/** A link to a row of another view. It opens in this page, or in a new browser tab with Ctrl, Cmd or Shift. */
export function ObjectLink(props: {
  readonly view: string
  readonly id: string
  readonly children: ComponentChildren
}) {
  const store = useStore()
  const route = { view: props.view, id: props.id, query: {} }
  return (
    <a
      href={store.href(route)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        store.go(route)
      }}
    >
      {props.children}
    </a>
  )
}
