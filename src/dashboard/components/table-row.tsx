import { Component } from 'preact'
import type { Column } from './list-definition.ts'
import { opensElsewhere } from './object-link.tsx'

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
export class TableRow<R extends { readonly id: string }> extends Component<TableRowProps<R>> {
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
