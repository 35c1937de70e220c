// The rows of a list near the visible part. Only one row is in the tab order; the keys j and k move to the other rows.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { useKeys } from './keys.ts'
import type { ListDefinition } from './list-definition.ts'
import { nextSort } from './list-query.ts'
import { TableRow } from './table-row.tsx'
import { useMedia } from './use-media.ts'
import { useRowWindow } from './use-row-window.ts'

const WIDE_ROW = 36
const NARROW_ROW = 58

export function ListTable<R extends { readonly id: string }>(props: {
  readonly list: ListDefinition<R>
  readonly rows: readonly R[]
}) {
  const { list, rows } = props
  const store = useStore()
  const t = useText()
  const { id, query } = store.app.route
  const narrow = useMedia('(max-width: 719px)')
  const rowHeight = narrow ? NARROW_ROW : WIDE_ROW
  const scroller = useRef<HTMLDivElement>(null)
  const { first, end } = useRowWindow(scroller, rowHeight, rows.length)
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

  const sort = query['sort'] ?? ''
  const widths = (columns: readonly { readonly width: string }[]) => columns.map(({ width }) => width).join(' ')
  return (
    <div
      class="table"
      role="table"
      aria-label={t(list.title)}
      aria-rowcount={rows.length + 1}
      style={{
        '--columns': widths(list.columns),
        '--important-columns': widths(list.columns.filter((column) => column.narrow !== undefined)),
        '--first-columns': widths(list.columns.slice(0, 4)),
      }}
    >
      <div role="rowgroup" class="table-head">
        <div role="row" aria-rowindex={1} class="table-row">
          {list.columns.map(({ key, title, compare, align, narrow }) => (
            <div
              key={key}
              role="columnheader"
              class={`${align === 'end' ? 'end' : ''} at-${narrow ?? 'none'}`}
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
            {rows.slice(first, end).map((row, at) => (
              <TableRow
                key={row.id}
                row={row}
                columns={list.columns}
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
