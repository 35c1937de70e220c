import type { StateSource } from '../import/prepare-state.ts'
import type { StateView } from '../memory/state-view.ts'

export interface SnapshotInfo {
  readonly name: string
  /** The time on the system clock in ms. */
  readonly saved_at: number
}

export interface Snapshot {
  readonly info: SnapshotInfo
  /** Returns a new reader of the whole snapshot. */
  source(): StateSource
}

/** Stored states with a name, `[a-z0-9][a-z0-9._-]{0,63}`. A reset keeps them. */
export interface Snapshots {
  /** Returns all snapshots in the order of their names. */
  list(): readonly SnapshotInfo[]
  /**
   * Stores a state, and replaces a snapshot of this name. Does not block the event loop.
   * @throws StoreUnavailableError
   */
  save(info: SnapshotInfo, state: StateView): Promise<void>
  open(name: string): Snapshot | undefined
  remove(name: string): boolean
}

/** Rejects a name that could refer to another directory. Callers check names first, with a better message. */
export function assertSnapshotName(name: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name))
    throw new RangeError(`This is not the name of a snapshot: ${JSON.stringify(name)}`)
  return name
}

export function byName(a: SnapshotInfo, b: SnapshotInfo): number {
  return a.name < b.name ? -1 : 1
}

/** Creates the snapshots of a store in memory. They share their rows with the tables until a row changes. */
export function createMemorySnapshots(): Snapshots {
  const kept = new Map<string, { readonly info: SnapshotInfo; readonly view: StateView }>()
  return {
    list: () => [...kept.values()].map(({ info }) => info).sort(byName),
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
