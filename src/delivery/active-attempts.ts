import type { Delivery } from '../domain/delivery.ts'
import type { Attempts } from './attempts.ts'
import type { ConcurrencyLimits } from './concurrency-limiter.ts'
import { createDispatchQueue } from './dispatch-queue.ts'
import { createJob, type Job } from './job.ts'

/** The queued and in-flight attempts since the state was last replaced. */
export interface ActiveAttempts {
  readonly size: number
  /** The number of attempts in flight. */
  readonly sending: number
  find(deliveryId: string): Job | undefined
  add(delivery: Delivery): Job
  /** Settles attempts without a result. Queued ones are not sent, and responses to the others are not recorded. */
  abandon(matches?: (job: Job) => boolean): void
}

/** @param onOver called when an attempt is over or abandoned */
export function createActiveAttempts(
  limits: ConcurrencyLimits | undefined,
  attempts: Attempts,
  onOver: (deliveryId: string) => void,
): ActiveAttempts {
  const jobs = new Map<string, Job>()
  const dispatchQueue = createDispatchQueue(limits)
  let sending = 0

  function start(job: Job): void {
    if (!jobs.has(job.id)) return
    job.sending = true
    sending++
    attempts
      .make(job.id, () => !jobs.has(job.id))
      .then(
        () => end(job, job.resolve),
        (error: unknown) => end(job, () => job.reject(error)),
      )
  }

  function end(job: Job, settle: () => void): void {
    sending--
    if (jobs.delete(job.id)) {
      settle()
      onOver(job.id)
    }
    dispatchQueue.release(job)
  }

  return {
    get size() {
      return jobs.size
    },
    get sending() {
      return sending
    },
    find: (id) => jobs.get(id),
    add(delivery) {
      const job = createJob(delivery, dispatchQueue.hasBacklog)
      jobs.set(job.id, job)
      dispatchQueue.acquire(job, () => start(job))
      return job
    },
    abandon(matches = () => true) {
      for (const job of [...jobs.values()].filter(matches)) {
        jobs.delete(job.id)
        job.resolve()
        onOver(job.id)
      }
    },
  }
}
