import type { StateSource } from '../import/prepare-state.ts'
import type { StateView } from '../memory/state-view.ts'

export interface SnapshotInfo {
  readonly name: string
  /** Wall clock, ms. */
  readonly saved_at: number
}

export interface Snapshot {
  readonly info: SnapshotInfo
  /** Reads it from the start; may be called again. */
  source(): StateSource
}

/** States kept under a name, `[a-z0-9][a-z0-9._-]{0,63}`. They outlive a reset. */
export interface Snapshots {
  /** By name. */
  list(): readonly SnapshotInfo[]
  /** Keeps a state; replaces a snapshot of this name. The event loop is not stopped. @throws StoreUnavailableError */
  save(info: SnapshotInfo, state: StateView): Promise<void>
  /** `undefined` when there is none. */
  open(name: string): Snapshot | undefined
  /** @returns false when there was none */
  remove(name: string): boolean
}

/** Throws for a name that could leave the folder; callers check names first and explain. */
export function assertSnapshotName(name: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
    throw new RangeError(`not a name for a snapshot: ${JSON.stringify(name)}`)
  return name
}

/** Snapshots of a store that lives in memory: rows are shared with the tables until one of the two changes. */
export function createMemorySnapshots(): Snapshots {
  const kept = new Map<string, { readonly info: SnapshotInfo; readonly view: StateView }>()
  return {
    list: () => [...kept.values()].map(({ info }) => info).sort((a, b) => (a.name < b.name ? -1 : 1)),
    async save(info, view) {
      kept.set(assertSnapshotName(info.name), { info, view })
    },
    open(name) {
      const found = kept.get(name)
      return found && { info: found.info, source: () => ({ view: found.view }) }
    },
    remove: (name) => kept.delete(name),
  }
}
