import type { TableName, Tables } from '../../engine/tables.ts'

/** Every row of every table, in table order, as JSON has it. */
export type StoredTables = { readonly [T in TableName]: readonly Tables[T][] }

export interface SnapshotInfo {
  readonly name: string
  /** Wall clock, ms. */
  readonly saved_at: number
}

/** States kept under a name, `[a-z0-9][a-z0-9._-]{0,63}`. They outlive a reset. */
export interface Snapshots {
  /** By name. */
  list(): readonly SnapshotInfo[]
  /** Keeps the present state; replaces a snapshot of this name. @throws StoreUnavailable */
  save(name: string): SnapshotInfo
  /** `undefined` when there is none. @throws StoreDamaged */
  load(name: string): StoredTables | undefined
  /** @returns false when there was none */
  remove(name: string): boolean
}

/** Throws for a name that could leave the folder; callers check names first, in words. */
export function checkName(name: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
    throw new RangeError(`not a name for a snapshot: ${JSON.stringify(name)}`)
  return name
}

/** Snapshots of a store that lives in memory. Rows are values, so keeping them costs a list. */
export function memorySnapshots(now: () => number, state: () => StoredTables): Snapshots {
  const kept = new Map<string, { info: SnapshotInfo; tables: StoredTables }>()
  return {
    list: () => [...kept.values()].map(({ info }) => info).sort((a, b) => (a.name < b.name ? -1 : 1)),
    save(name) {
      const info = { name: checkName(name), saved_at: now() }
      kept.set(name, { info, tables: state() })
      return info
    },
    load: (name) => kept.get(name)?.tables,
    remove: (name) => kept.delete(name),
  }
}
