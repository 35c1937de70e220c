import type { ComponentChildren } from 'preact'
import { useStore } from '../state/store.ts'

interface ObjectLinkProps {
  readonly view: string
  /** Absent: the link opens the whole view. */
  readonly id?: string
  readonly class?: string
  readonly 'aria-current'?: 'page' | undefined
  readonly children: ComponentChildren
}

/** A link to another view, or to a row of the view. */
export function ObjectLink({ view, id = '', ...rest }: ObjectLinkProps) {
  const store = useStore()
  const route = { view, id, query: {} }
  return (
    <a
      {...rest}
      href={store.href(route)}
      onClick={(event) => {
        if (opensElsewhere(event)) return
        event.preventDefault()
        store.go(route)
      }}
    />
  )
}

/** Returns whether the browser opens the link in another tab or window. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || button !== 0
}
