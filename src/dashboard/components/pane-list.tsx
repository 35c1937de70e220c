// A list of a table of the shared view model, such as payments.
import type { ComponentChildren, ComponentType } from 'preact'
import { useMemo } from 'preact/hooks'
import type { PaneName, Row } from '../../view-model/rows/rows.ts'
import { visibleRows } from '../../view-model/rows/visible-rows.ts'
import { useStore } from '../state/store.ts'
import type { ListDefinition } from './list-definition.ts'
import { ListView } from './list-view.tsx'

interface PaneListProps<R extends Row> {
  readonly pane: PaneName
  readonly list: ListDefinition<R>
  readonly Detail: ComponentType<{ readonly id: string }>
  /** @param found the rows that match the search */
  readonly actions?: (found: readonly R[]) => ComponentChildren
  readonly children?: ComponentChildren
}

export function PaneList<R extends Row>({ pane, list, Detail, actions, children }: PaneListProps<R>) {
  const { model, route } = useStore().now
  const table = model.tables[pane] as ReadonlyMap<string, Row> as ReadonlyMap<string, R>
  const rows = useMemo(() => [...table.values()].reverse(), [table])
  const view = { selectedId: undefined, sort: 0, filter: route.query['q'] ?? '' }
  const found = visibleRows(
    { tables: model.tables, listViews: { ...model.listViews, [pane]: view } },
    pane,
  ) as readonly R[]
  return (
    <ListView
      list={list}
      rows={rows}
      found={found}
      actions={actions?.(found)}
      detail={(id) => <Detail key={id} id={id} />}
    >
      {children}
    </ListView>
  )
}
