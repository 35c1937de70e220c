import type { Commit, RetentionCursor } from '../../engine/commit.ts'
import { type IndexedTable, TABLE_NAMES, type TableName, type Tables } from '../../engine/tables.ts'
import type { World } from '../../engine/world.ts'
import { readSettings, type Settings, type SettingValues } from '../../settings.ts'
import type { PreparedTablesState } from './prepared-tables-state.ts'
import type { Row } from './row.ts'
import { createStateView, type StateView } from './state-view.ts'
import { Table } from './table.ts'

/** The effect of a commit on memory: the positions of its rows, and the data to undo it. */
export interface AppliedChange {
  readonly cleared: readonly Table[]
  readonly deleted: readonly { readonly table: Table; readonly ordinal: number; readonly before: Row }[]
  /** One entry for each put, in order. */
  readonly put: readonly { readonly table: Table; readonly ordinal: number; readonly before: Row | undefined }[]
  /** This and the next two fields are the values before the commit. */
  readonly settings: Settings
  readonly runSettings: SettingValues
  readonly retentionCursor: RetentionCursor
}

type AppliedCommit = Pick<Commit, 'clear' | 'prepared' | 'deletes' | 'puts' | 'overrides' | 'retention_cursor'>

export interface Memory extends World {
  table(name: TableName): Table
  /** @throws SettingError if a setting of the commit is invalid. Then nothing changes. */
  apply(commit: AppliedCommit): AppliedChange
  undo(change: AppliedChange, commit: Pick<Commit, 'puts'>): void
  /** Returns a view of all current rows. Later changes do not affect it. */
  view(): StateView
  /** Clears a table as the journal line `seq` did, during recovery. */
  clearAt(name: TableName, seq: number): void
  /** Reads the settings again. Call it after rows were changed without `apply`. */
  reloadSettings(): void
  /**
   * Overrides stored settings while the store is open.
   * @throws SettingError
   */
  overrideSettings(settings: SettingValues): void
  /** Stops compressing rows in the background. */
  stopCompression(): void
}

export function createMemory(): Memory {
  const tables = new Map<TableName, Table>(TABLE_NAMES.map((name) => [name, new Table(name)]))
  const table = (name: TableName) => tables.get(name) as Table
  let settings = readSettings()
  /** The settings given at the start. */
  let startSettings: SettingValues = {}
  /** The settings given at the start that no later command has replaced. */
  let runSettings: SettingValues = {}
  let retentionCursor: RetentionCursor = {}

  return {
    get settings() {
      return settings
    },
    get run_settings() {
      return runSettings
    },
    get start_settings() {
      return startSettings
    },
    get retentionCursor() {
      return retentionCursor
    },
    ...createReader(table),
    table,
    view: () => createStateView(new Map([...tables].map(([name, each]) => [name, each.snapshot()]))),
    apply,
    undo,
    clearAt: (name: TableName, seq: number) => void tables.set(name, table(name).clearedAt(seq)),
    stopCompression: () => {
      for (const each of tables.values()) each.stopCompression()
    },
    reloadSettings: () => {
      settings = parseSettings()
    },
    overrideSettings: (values: SettingValues) => {
      startSettings = values
      runSettings = values
      settings = parseSettings()
    },
  }

  function apply(commit: AppliedCommit): AppliedChange {
    const change = {
      cleared: [] as Table[],
      deleted: [] as AppliedChange['deleted'][number][],
      put: [] as AppliedChange['put'][number][],
      settings,
      runSettings,
      retentionCursor,
    }
    try {
      for (const name of commit.clear) {
        change.cleared.push(table(name))
        tables.set(name, preparedTable(commit, name) ?? new Table(name))
      }
      for (const { table: name, id } of commit.deletes) {
        const removed = table(name).remove(id)
        if (removed !== undefined) change.deleted.push({ table: table(name), ...removed })
      }
      for (const { table: name, row } of commit.puts) {
        const into = table(name)
        const { ordinal, before } = into.put(row)
        change.put.push({ table: into, ordinal, before })
      }
      if (commit.retention_cursor !== undefined) retentionCursor = commit.retention_cursor
      if (changesSettings(commit)) {
        if (commit.clear.includes('state')) runSettings = startSettings
        runSettings = without(runSettings, commit.overrides ?? [])
        settings = parseSettings()
      }
    } catch (error) {
      undo(change, commit)
      throw error
    }
    return change
  }

  function undo(change: AppliedChange, commit: Pick<Commit, 'puts'>): void {
    for (let i = change.put.length - 1; i >= 0; i--) {
      const { table: into, ordinal, before } = change.put[i] as AppliedChange['put'][number]
      if (before !== undefined) into.put(before)
      else {
        into.remove(commit.puts[i]?.row.id ?? '')
        if (into.next === ordinal + 1) into.next = ordinal
      }
    }
    for (const { table: into, ordinal, before } of change.deleted.toReversed()) into.insert(ordinal, before)
    for (const cleared of change.cleared) tables.set(cleared.name, cleared)
    settings = change.settings
    runSettings = change.runSettings
    retentionCursor = change.retentionCursor
  }

  function parseSettings(): Settings {
    const row = table('state').get('settings') as { values?: SettingValues } | undefined
    return readSettings({ ...row?.values, ...runSettings })
  }
}

function preparedTable({ prepared }: AppliedCommit, name: TableName): Table | undefined {
  return (prepared as PreparedTablesState | undefined)?.tables.get(name)
}

/** The casts are safe, because psp wrote the rows of a table or checked them. */
function createReader(
  table: (name: TableName) => Table,
): Pick<World, 'get' | 'find' | 'rows' | 'rowsWith' | 'rowsAfter' | 'rowsBefore' | 'size'> {
  return {
    get: <T extends TableName>(name: T, id: string) => table(name).get(id) as Tables[T] | undefined,
    find: <T extends IndexedTable>(name: T, index: string, key: string) =>
      table(name).find(index, key) as readonly Row[] as readonly Tables[T][],
    rows: <T extends TableName>(name: T, order: 'oldest' | 'newest' = 'oldest') =>
      table(name).rows(order) as Iterable<Tables[T]>,
    rowsWith: <T extends TableName>(name: T, field: string, values: readonly string[]) =>
      table(name).rowsWith(field, values) as Iterable<Tables[T]>,
    rowsAfter: <T extends TableName>(name: T, id: string | undefined) =>
      table(name).rowsAfter(id) as Iterable<Tables[T]>,
    rowsBefore: <T extends TableName>(name: T, id: string) => table(name).rowsBefore(id) as Iterable<Tables[T]>,
    size: (name: TableName) => table(name).size,
  }
}

function without(values: SettingValues, names: readonly string[]): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

function changesSettings(commit: Pick<Commit, 'clear' | 'deletes' | 'puts'>): boolean {
  return (
    commit.puts.some((put) => put.table === 'state' && put.row.id === 'settings') ||
    commit.clear.includes('state') ||
    commit.deletes.some(({ table }) => table === 'state')
  )
}
