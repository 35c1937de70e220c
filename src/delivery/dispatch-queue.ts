import { type ConcurrencyLimits, createConcurrencyLimiter } from './concurrency-limiter.ts'
import type { Job } from './job.ts'
import { createKeyedQueue } from './keyed-queue.ts'

/** Queues an attempt until its receiver's backlog, its ordering key and the concurrency limit allow it. */
export interface DispatchQueue {
  /** Returns whether the receiver has a backlog. */
  hasBacklog(receiver: string): boolean
  /** Calls `start` when all three allow the job. */
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
