import type { Delivery } from '../domain/delivery.ts'
import { type AttemptJob, createAttemptJob } from './attempt-job.ts'
import type { AttemptEnd, AttemptSender } from './attempt-sender.ts'
import type { ConcurrencyLimits } from './concurrency-limiter.ts'
import { createDispatchQueue } from './dispatch-queue.ts'

/** The queued and in-flight attempts since the state was last replaced. */
export interface ActiveAttempts {
  readonly size: number
  /** The number of attempts in flight. */
  readonly sending: number
  find(deliveryId: string): AttemptJob | undefined
  add(delivery: Delivery): AttemptJob
  /** Resolves attempts without a result. Queued ones are not sent, and later responses are not recorded. */
  abandon(matches?: (job: AttemptJob) => boolean): void
}

/** @param onEnd called when an attempt has ended or is abandoned */
export function createActiveAttempts(
  limits: ConcurrencyLimits | undefined,
  sender: AttemptSender,
  onEnd: (deliveryId: string, end: AttemptEnd) => void,
): ActiveAttempts {
  const jobs = new Map<string, AttemptJob>()
  const dispatchQueue = createDispatchQueue(limits)
  let sending = 0

  function start(job: AttemptJob): void {
    if (!jobs.has(job.id)) return
    job.sending = true
    sending++
    sender
      .make(job.id, () => !jobs.has(job.id))
      .then(
        (how) => end(job, how, job.resolve),
        (error: unknown) => end(job, 'over', () => job.reject(error)),
      )
  }

  function end(job: AttemptJob, how: AttemptEnd, settle: () => void): void {
    sending--
    if (jobs.delete(job.id)) {
      settle()
      onEnd(job.id, how)
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
      const job = createAttemptJob(delivery, dispatchQueue.hasBacklog)
      jobs.set(job.id, job)
      dispatchQueue.acquire(job, () => start(job))
      return job
    },
    abandon(matches = () => true) {
      for (const job of [...jobs.values()].filter(matches)) {
        jobs.delete(job.id)
        job.resolve()
        onEnd(job.id, 'over')
      }
    },
  }
}
