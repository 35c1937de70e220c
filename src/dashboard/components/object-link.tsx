import type { ComponentChildren } from 'preact'
import { useStore } from '../state/store.ts'

/** A link to a row of another view, which opens in this page unless a new tab is asked for. */
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
