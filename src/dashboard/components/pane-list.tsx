// A list of a table of the shared view model, such as payments.
import type { ComponentChildren, ComponentType } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RowsRead } from '../../view-model/model.ts'
import type { Row } from '../../view-model/rows/rows.ts'
import { visibleRows } from '../../view-model/rows/visible-rows.ts'
import { useStore } from '../state/store.ts'
import { useServerSearch } from '../state/use-search.ts'
import type { ListDefinition } from './list-definition.ts'
import { ListView } from './list-view.tsx'

interface PaneListProps<R extends Row> {
  readonly pane: keyof RowsRead
  readonly list: ListDefinition<R>
  readonly Detail: ComponentType<{ readonly id: string }>
  /** @param found the rows that match the search */
  readonly actions?: (found: readonly R[]) => ComponentChildren
  /** More text of a row that the search looks in. */
  readonly moreText?: (row: R) => string
  readonly children?: ComponentChildren
}

export function PaneList<R extends Row>({ pane, list, Detail, actions, moreText, children }: PaneListProps<R>) {
  const { model, route } = useStore().app
  const table = model.tables[pane] as ReadonlyMap<string, Row> as ReadonlyMap<string, R>
  const rows = useMemo(() => [...table.values()].reverse(), [table])
  const view = { selectedId: undefined, sort: 0, filter: route.query['q'] ?? '' }
  const matching = visibleRows(
    { tables: model.tables, listViews: { ...model.listViews, [pane]: view } },
    pane,
  ) as readonly R[]
  const search = view.filter.trim().toLowerCase()
  const found = useMemo(() => {
    if (moreText === undefined || search === '') return matching
    const ids = new Set(matching.map(({ id }) => id))
    return rows.filter((row) => ids.has(row.id) || moreText(row).toLowerCase().includes(search))
  }, [rows, matching, search])
  const isLoading = model.rowsRead[pane] !== undefined
  const mayBeOnServer = isLoading || (found.length === 0 && rows.length >= list.limit)
  const onServer = useServerSearch(pane, mayBeOnServer ? view.filter.trim() : '')
  const shown = useMemo(() => {
    if (onServer === undefined || onServer.length === 0) return found
    const ids = new Set(onServer.map(({ id }) => id))
    const serverRows = onServer.map((row) => table.get(row.id) ?? row) as readonly Row[] as readonly R[]
    return [...serverRows, ...found.filter(({ id }) => !ids.has(id))]
  }, [found, onServer, table])
  // The filter by webhooks needs all deliveries.
  const reading = model.rowsRead[pane] ?? (route.query['webhook'] ? model.rowsRead.deliveries : undefined)
  return (
    <ListView
      list={list}
      rows={rows}
      found={shown}
      isSearching={onServer === undefined}
      reading={reading ?? (onServer === undefined ? 0 : undefined)}
      actions={actions?.(shown)}
      detail={(id) => <Detail key={id} id={id} />}
    >
      {children}
    </ListView>
  )
}
