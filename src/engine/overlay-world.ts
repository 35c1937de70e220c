import { readSettings, type SettingValues } from '../settings.ts'
import type { Commit, Put, RetentionCursor } from './commit.ts'
import { put } from './commit.ts'
import { INDEXES, TABLE_NAMES, type TableName, type Tables } from './tables.ts'
import type { World } from './world.ts'

type Row = Tables[TableName]

/** A world with changes that are not stored yet. */
export interface OverlayWorld extends World {
  apply(commit: Pick<Commit, 'deletes' | 'puts' | 'retention_cursor'>): void
  changes(): Pick<Commit, 'deletes' | 'puts' | 'retention_cursor'>
}

/** @param cleared tables that are empty before the first change */
export function createOverlayWorld(base: World, cleared: readonly TableName[]): OverlayWorld {
  const puts = new Map<TableName, Map<string, Row>>(TABLE_NAMES.map((name) => [name, new Map()]))
  const deleted = new Map<TableName, Set<string>>(TABLE_NAMES.map((name) => [name, new Set()]))
  const putIn = (table: TableName) => puts.get(table) as Map<string, Row>
  const deletedIn = (table: TableName) => deleted.get(table) as Set<string>
  const runSettings = cleared.includes('state') ? base.start_settings : base.run_settings
  let cursor: RetentionCursor = cleared.includes('events') ? {} : base.retentionCursor
  let settings = cleared.includes('state') ? settingsOf({}) : base.settings

  function settingsOf(stored: SettingValues) {
    return readSettings({ ...stored, ...runSettings })
  }

  function baseRow(table: TableName, id: string): Row | undefined {
    return cleared.includes(table) || deletedIn(table).has(id) ? undefined : base.get(table, id)
  }

  function* baseRows(table: TableName, order: 'oldest' | 'newest'): Iterable<Row> {
    if (cleared.includes(table)) return
    for (const row of base.rows(table, order)) if (!deletedIn(table).has(row.id)) yield putIn(table).get(row.id) ?? row
  }

  function* rows(table: TableName, order: 'oldest' | 'newest' = 'oldest'): Iterable<Row> {
    const added = [...putIn(table).values()].filter(({ id }) => baseRow(table, id) === undefined)
    if (order === 'newest') yield* added.reverse()
    yield* baseRows(table, order)
    if (order === 'oldest') yield* added
  }

  function* rowsFrom(table: TableName, id: string | undefined, order: 'oldest' | 'newest'): Iterable<Row> {
    let isPast = id === undefined || overlay.get(table, id) === undefined
    for (const row of rows(table, order)) {
      if (isPast) yield row
      else isPast = row.id === id
    }
  }

  function* rowsWith(table: TableName, field: string, values: readonly string[]): Iterable<Row> {
    for (const row of rows(table)) if (values.includes(String(row[field as keyof Row]))) yield row
  }

  const overlay = {
    get settings() {
      return settings
    },
    run_settings: runSettings,
    start_settings: base.start_settings,
    get retentionCursor() {
      return cursor
    },
    get: (table: TableName, id: string) => putIn(table).get(id) ?? baseRow(table, id),
    find(table: keyof typeof INDEXES, index: string, key: string) {
      const field = INDEXES[table][index as never] as keyof Row
      const known = cleared.includes(table) ? [] : (base.find(table, index as never, key) as readonly Row[])
      const kept = known.filter(({ id }) => baseRow(table, id) !== undefined && !putIn(table).has(id))
      return [...kept, ...[...putIn(table).values()].filter((row) => row[field] === key)]
    },
    rows,
    rowsAfter: (table: TableName, id: string | undefined) => rowsFrom(table, id, 'oldest'),
    rowsBefore: (table: TableName, id: string) => rowsFrom(table, id, 'newest'),
    rowsWith,
    size(table: TableName) {
      const added = [...putIn(table).keys()].filter((id) => baseRow(table, id) === undefined).length
      return added + (cleared.includes(table) ? 0 : base.size(table) - deletedIn(table).size)
    },
    apply({ deletes, puts, retention_cursor }: Pick<Commit, 'deletes' | 'puts' | 'retention_cursor'>) {
      for (const { table, id } of deletes) {
        putIn(table).delete(id)
        if (baseRow(table, id) !== undefined) deletedIn(table).add(id)
      }
      for (const { table, row } of puts) {
        putIn(table).set(row.id, row)
        if (table === 'state' && row.id === 'settings') settings = settingsOf(row.values)
      }
      if (retention_cursor !== undefined) cursor = retention_cursor
    },
    changes: () => changesOf(puts, deleted, cursor),
  }
  // The cast is safe: only commits put rows, and they put rows of the table's type.
  return overlay as unknown as OverlayWorld
}

function changesOf(
  puts: ReadonlyMap<TableName, ReadonlyMap<string, Row>>,
  deletes: ReadonlyMap<TableName, ReadonlySet<string>>,
  retention_cursor: RetentionCursor,
): Pick<Commit, 'deletes' | 'puts' | 'retention_cursor'> {
  return {
    deletes: [...deletes].flatMap(([table, ids]) =>
      [...ids].filter((id) => puts.get(table)?.has(id) !== true).map((id) => ({ table, id })),
    ),
    puts: [...puts].flatMap(([table, rows]) => [...rows.values()].map((row): Put => put(table, row as never))),
    retention_cursor,
  }
}
