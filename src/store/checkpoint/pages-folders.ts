/** The folders of pages that a folder has: the one in use, and those before it that are still there. */
export interface PagesFolders {
  /** Oldest first, without the one in use. */
  readonly replaced: readonly string[]
  /** A prepared state has its pages in another folder. */
  adopt(folder: string | undefined): void
  /** A checkpoint removed those of `voided` that are older than the folder that state.json names. */
  forget(voided: readonly string[], named: string): void
}

/** @param current name of the folder in use */
export function createPagesFolders(current: string): PagesFolders {
  let inUse = current
  let voided: readonly string[] = []
  return {
    get replaced() {
      return voided
    },
    adopt(folder) {
      voided = [...voided, inUse]
      inUse = folder ?? inUse
    },
    forget(removed, named) {
      voided = voided.slice(olderThan(removed, named).length)
    },
  }
}

/** The folders before `named`; all if it is not among them. */
export function olderThan(voided: readonly string[], named: string): readonly string[] {
  const at = voided.indexOf(named)
  return at < 0 ? voided : voided.slice(0, at)
}
