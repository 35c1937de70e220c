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

  function startBatch(stored: Promise<void>): Batch {
    const started: Batch = { stored, commits: [] }
    const end = () => {
      if (batch === started) batch = undefined
    }
    stored.then(() => {
      end()
      for (const commit of started.commits) for (const listener of listeners) listener(...commit)
    }, end)
    return started
  }

  return {
    publish(stored, ...commit) {
      if (listeners.length === 0) return
      if (stored === undefined) {
        for (const listener of listeners) listener(...commit)
        return
      }
      if (batch?.stored !== stored) batch = startBatch(stored)
      batch.commits.push(commit)
    },
    subscribe: (listener) => void listeners.push(listener),
  }
}
