// The rows of a list near the visible part. Only one row is in the tab order; the keys j and k move to the other rows.

import { Component } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { useKeys } from './keys.ts'
import type { Column, ListDefinition } from './list-definition.ts'
import { nextSort } from './list-query.ts'
import { opensElsewhere } from './object-link.tsx'
import { useTableLayout } from './use-table-layout.ts'

export function ListTable<R extends { readonly id: string }>(props: {
  readonly list: ListDefinition<R>
  readonly rows: readonly R[]
}) {
  const { list, rows } = props
  const store = useStore()
  const t = useText()
  const { id, query } = store.app.route
  const scroller = useRef<HTMLDivElement>(null)
  const { rowHeight, columns, first, end } = useTableLayout(scroller, list.columns, rows.length)
  const [activeId, setActiveId] = useState(id)
  const wanted = id === '' ? activeId : id
  const active = Math.max(
    0,
    rows.findIndex((row) => row.id === wanted),
  )

  // One rendered row must be in the tab order, and the active row may not be rendered.
  const tabStop = Math.max(first, Math.min(end - 1, active))

  function move(step: number): void {
    const next = rows[Math.max(0, Math.min(rows.length - 1, active + step))]
    if (next === undefined) return
    setActiveId(next.id)
    if (id !== '') store.go({ id: next.id }, true)
    const at = rows.indexOf(next)
    scrollTo(scroller.current, at * rowHeight, rowHeight)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${at + 2}"] a`)?.focus({ preventScroll: true }),
    )
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  // A row that a link names may be far below.
  useEffect(() => {
    if (id !== '') scrollTo(scroller.current, active * rowHeight, rowHeight)
  }, [id, active === 0])

  const visible = rows.slice(first, end)
  // Widths only increase while the user scrolls, so that columns do not move back and forth.
  const widest = useRef<Record<string, number>>({}).current
  const widths = columns.map(({ key, minWidth, contentWidth, fills }) => {
    if (contentWidth !== undefined)
      widest[key] = visible.reduce((max, row) => Math.max(max, contentWidth(row, t)), widest[key] ?? 0)
    return `minmax(${minWidth}rem,${fills ? '1fr' : `${widest[key] ?? minWidth}rem`})`
  })
  const sort = query['sort'] ?? ''
  return (
    <div
      class="table"
      role="table"
      aria-label={t(list.title)}
      aria-rowcount={rows.length + 1}
      style={{ '--columns': widths.join(' ') }}
    >
      <div role="rowgroup" class="table-head">
        <div role="row" aria-rowindex={1} class="table-row">
          {columns.map(({ key, title, compare, align }) => (
            <div
              key={key}
              role="columnheader"
              class={align}
              aria-sort={sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'}
            >
              {compare === undefined ? (
                t(title)
              ) : (
                <button
                  type="button"
                  onClick={() => store.go({ query: { ...query, sort: nextSort(sort, key) } }, true)}
                >
                  {t(title)}
                  <span aria-hidden="true">{sort === key ? ' ↑' : sort === `-${key}` ? ' ↓' : ''}</span>
                </button>
              )}
            </div>
          ))}
        </div>
      </div>
      <div class="table-scroll" ref={scroller}>
        <div role="rowgroup" class="table-body" style={{ height: `${rows.length * rowHeight}px` }}>
          <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
            {visible.map((row, at) => (
              <TableRow
                key={row.id}
                row={row}
                columns={columns}
                index={first + at + 2}
                href={store.href({ id: row.id })}
                isActive={first + at === tabStop}
                isOpen={row.id === id}
                onOpen={store.openRow}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

/** Scrolls just far enough to show the row. */
function scrollTo(element: HTMLElement | null, top: number, height: number): void {
  if (element === null) return
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + height > element.scrollTop + element.clientHeight)
    element.scrollTop = top + height - element.clientHeight
}

interface TableRowProps<R extends { readonly id: string }> {
  readonly row: R
  readonly columns: readonly Column<R>[]
  /** From 2, because the header is the first row. */
  readonly index: number
  readonly href: string
  readonly isActive: boolean
  readonly isOpen: boolean
  readonly onOpen: (id: string) => void
}

/** A row that is rendered again only if one of its properties changed. */
class TableRow<R extends { readonly id: string }> extends Component<TableRowProps<R>> {
  override shouldComponentUpdate(next: TableRowProps<R>): boolean {
    const { props } = this
    return (Object.keys(next) as (keyof TableRowProps<R>)[]).some((key) => next[key] !== props[key])
  }

  override render({ row, columns, index, href, isActive, isOpen, onOpen }: TableRowProps<R>) {
    return (
      <div role="row" aria-rowindex={index} class={`table-row ${isOpen ? 'is-open' : ''}`}>
        {columns.map(({ key, cell, align, narrow }, at) => (
          <div key={key} role="cell" class={`${align ?? ''} at-${narrow ?? 'none'}`}>
            {at > 0 ? (
              cell(row)
            ) : (
              <a
                href={href}
                tabIndex={isActive ? 0 : -1}
                aria-current={isOpen ? 'true' : undefined}
                onClick={(event) => {
                  if (opensElsewhere(event)) return
                  event.preventDefault()
                  onOpen(row.id)
                }}
              >
                {cell(row)}
              </a>
            )}
          </div>
        ))}
      </div>
    )
  }
}
