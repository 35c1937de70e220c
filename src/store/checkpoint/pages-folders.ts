/** Tracks the pages directory in use, and the replaced pages directories that still exist. */
export interface PagesFolders {
  /** The replaced directories, oldest first. */
  readonly replaced: readonly string[]
  /** Switches to the pages directory of a prepared state. */
  adopt(folder: string | undefined): void
  /** Call it after a checkpoint removed the directories of `replaced` that are older than `current`, the one in state.json. */
  forget(replaced: readonly string[], current: string): void
}

/** @param initial the name of the directory in use */
export function createPagesFolders(initial: string): PagesFolders {
  let inUse = initial
  let replaced: readonly string[] = []
  return {
    get replaced() {
      return replaced
    },
    adopt(folder) {
      replaced = [...replaced, inUse]
      inUse = folder ?? inUse
    },
    forget(removed, current) {
      replaced = replaced.slice(olderThan(removed, current).length)
    },
  }
}

/** Returns the directories before `current`, or all directories if `current` is not in the list. */
export function olderThan(replaced: readonly string[], current: string): readonly string[] {
  const at = replaced.indexOf(current)
  return at < 0 ? replaced : replaced.slice(0, at)
}
