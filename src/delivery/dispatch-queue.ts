import { type ConcurrencyLimits, createConcurrencyLimiter } from './concurrency-limiter.ts'
import type { Job } from './job.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** What an attempt waits for before it leaves: its receiver's line, its object's chain, and a free lane. */
export interface DispatchQueue {
  /** The receiver's line has somebody in it. */
  hasBacklog(receiver: string): boolean
  /** Calls `start` once all three let the job through. */
  acquire(job: Job, start: () => void): void
  release(job: Job): void
}

export function createDispatchQueue(limits: ConcurrencyLimits | undefined): DispatchQueue {
  const lines = createKeyedQueue()
  const chains = createKeyedQueue()
  const lanes = createConcurrencyLimiter(limits)

  function enterChain(job: Job, start: () => void): void {
    if (job.orderingKey === undefined) lanes.acquire(job, start)
    else chains.acquire(job.orderingKey, () => lanes.acquire(job, start))
  }

  return {
    hasBacklog: lines.isBusy,
    acquire(job, start) {
      if (job.backlog === undefined) enterChain(job, start)
      else lines.acquire(job.backlog, () => enterChain(job, start))
    },
    release(job) {
      lanes.release(job)
      if (job.orderingKey !== undefined) chains.release(job.orderingKey)
      if (job.backlog !== undefined) lines.release(job.backlog)
    },
  }
}
