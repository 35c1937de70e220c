import type { CommitListener } from './ports.ts'

/** Carries the word of commits outside: in their order, and only of those that stay. */
export interface WordOut {
  /** Tells at once, or with all that `stored` stands for when it resolves. Where it rejects, nobody is told. */
  tell(stored: Promise<void> | undefined, ...told: Parameters<CommitListener>): void
  listen(listener: CommitListener): void
}

interface Batch {
  readonly stored: Promise<void>
  readonly commits: Parameters<CommitListener>[]
}

/** Commits that are written together wait together: one callback for all of a turn. */
export function createWordOut(): WordOut {
  const listeners: CommitListener[] = []
  let batch: Batch | undefined

  function wait(stored: Promise<void>): Batch {
    const begun: Batch = { stored, commits: [] }
    const over = () => {
      if (batch === begun) batch = undefined
    }
    stored.then(() => {
      over()
      for (const commit of begun.commits) for (const listener of listeners) listener(...commit)
    }, over)
    return begun
  }

  return {
    tell(stored, ...told) {
      if (listeners.length === 0) return
      if (stored === undefined) {
        for (const listener of listeners) listener(...told)
        return
      }
      if (batch?.stored !== stored) batch = wait(stored)
      batch.commits.push(told)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
