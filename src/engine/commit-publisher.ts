import type { CommitListener } from './ports.ts'

/** Publishes commits to subscribers in commit order. Commits that are rolled back are skipped. */
export interface CommitPublisher {
  /** Publishes at once, or when `stored` resolves. If `stored` rejects, subscribers are not called. */
  publish(stored: Promise<void> | undefined, ...args: Parameters<CommitListener>): void
  subscribe(listener: CommitListener): void
}

interface Batch {
  readonly stored: Promise<void>
  readonly commits: Parameters<CommitListener>[]
}

/** Commits of one write share a batch and a callback. */
export function createCommitPublisher(): CommitPublisher {
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
    publish(stored, ...told) {
      if (listeners.length === 0) return
      if (stored === undefined) {
        for (const listener of listeners) listener(...told)
        return
      }
      if (batch?.stored !== stored) batch = wait(stored)
      batch.commits.push(told)
    },
    subscribe: (listener) => void listeners.push(listener),
  }
}
