import { createLanes, type LaneLimits } from './concurrency-limiter.ts'
import type { Job } from './job.ts'
import { createChains } from './keyed-queue.ts'

/** What an attempt waits for before it leaves: its receiver's line, its object's chain, and a free lane. */
export interface Passage {
  /** The receiver's line has somebody in it. */
  busy(receiver: string): boolean
  /** Calls `start` once all three let the job through. */
  enter(job: Job, start: () => void): void
  leave(job: Job): void
}

export function createPassage(limits: LaneLimits | undefined): Passage {
  const lines = createChains()
  const chains = createChains()
  const lanes = createLanes(limits)

  function enterChain(job: Job, start: () => void): void {
    if (job.chain === undefined) lanes.enter(job, start)
    else chains.enter(job.chain, () => lanes.enter(job, start))
  }

  return {
    busy: lines.busy,
    enter(job, start) {
      if (job.line === undefined) enterChain(job, start)
      else lines.enter(job.line, () => enterChain(job, start))
    },
    leave(job) {
      lanes.leave(job)
      if (job.chain !== undefined) chains.leave(job.chain)
      if (job.line !== undefined) lines.leave(job.line)
    },
  }
}
