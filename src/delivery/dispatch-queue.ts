// Spec 6.1: first attempts for one object are sent in the order of its events. Retries are not ordered. A receiver's
// backlog is sent in the order of all its events.

import type { AttemptJob } from './attempt-job.ts'
import { type ConcurrencyLimits, createConcurrencyLimiter } from './concurrency-limiter.ts'
import { Fifo } from './fifo.ts'

export interface DispatchQueue {
  hasBacklog(receiver: string): boolean
  /** Calls `start` when the backlog, the ordering key and the concurrency limit allow the job. */
  acquire(job: AttemptJob, start: () => void): void
  release(job: AttemptJob): void
}

export function createDispatchQueue(limits: ConcurrencyLimits | undefined): DispatchQueue {
  const backlogs = createKeyedQueue()
  const byObject = createKeyedQueue()
  const limiter = createConcurrencyLimiter(limits)

  function queueByObject(job: AttemptJob, start: () => void): void {
    if (job.orderingKey === undefined) limiter.acquire(job, start)
    else byObject.acquire(job.orderingKey, () => limiter.acquire(job, start))
  }

  return {
    hasBacklog: backlogs.isBusy,
    acquire(job, start) {
      if (job.backlogKey === undefined) queueByObject(job, start)
      else backlogs.acquire(job.backlogKey, () => queueByObject(job, start))
    },
    release(job) {
      limiter.release(job)
      if (job.orderingKey !== undefined) byObject.release(job.orderingKey)
      if (job.backlogKey !== undefined) backlogs.release(job.backlogKey)
    },
  }
}

interface KeyedQueue {
  /** Calls `start` when all earlier entries of the key are released. */
  acquire(key: string, start: () => void): void
  release(key: string): void
  isBusy(key: string): boolean
}

function createKeyedQueue(): KeyedQueue {
  /** Keys with an active entry, and the entries that wait behind it. Most keys never have a second entry. */
  const busy = new Map<string, Fifo<() => void> | null>()
  return {
    acquire(key, start) {
      const waiting = busy.get(key)
      if (waiting === undefined) {
        busy.set(key, null)
        start()
      } else if (waiting === null) {
        const queue = new Fifo<() => void>()
        queue.push(start)
        busy.set(key, queue)
      } else waiting.push(start)
    },
    release(key) {
      const next = busy.get(key)?.shift()
      if (next === undefined) busy.delete(key)
      else next()
    },
    isBusy: (key) => busy.has(key),
  }
}
