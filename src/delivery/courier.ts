import type { Delivery } from '../domain/delivery.ts'
import { requireDelivery } from '../engine/require-delivery.ts'
import { createAttempts } from './attempts.ts'
import type { Courier, CourierPorts } from './courier-contract.ts'
import { createHolds } from './holds.ts'
import { type Job, newJob } from './job.ts'
import { createPassage } from './passage.ts'
import { createWatchers } from './watchers.ts'

/** Takes due deliveries to their receivers, many at once. What waits here is ids; the rows are in the store. */
export function createCourier(ports: CourierPorts): Courier {
  const { world } = ports.engine
  const jobs = new Map<string, Job>()
  const passage = createPassage(ports.limits)
  const holds = createHolds(ports)
  const attempts = createAttempts(ports, holds)
  const watchers = createWatchers()
  const idlers: (() => void)[] = []
  let sending = 0
  let closed = false

  function deliver(id: string): Promise<void> {
    const known = jobs.get(id)
    if (known !== undefined) return known.done
    const delivery = world.get('deliveries', id)
    if (closed || delivery?.status !== 'waiting') {
      watchers.tell(id)
      return Promise.resolve()
    }
    const job = newJob(delivery, passage.busy)
    jobs.set(id, job)
    passage.enter(job, () => start(job))
    return job.done
  }

  function start(job: Job): void {
    // Settled by `close`; its row still waits.
    if (closed) return
    job.sending = true
    sending++
    attempts
      .make(job.id, () => !jobs.has(job.id))
      .then(
        () => leave(job, job.resolve),
        (error: unknown) => leave(job, () => job.reject(error)),
      )
  }

  function leave(job: Job, done: () => void): void {
    if (job.sending) sending--
    jobs.delete(job.id)
    done()
    watchers.tell(job.id)
    passage.leave(job)
    tellIdlers()
  }

  /** It leaves in a later turn of the event loop. */
  function isDue(delivery: Delivery | undefined): boolean {
    return delivery?.status === 'waiting' && (delivery.next_attempt_at ?? 0) <= ports.now()
  }

  function tellIdlers(): void {
    if (jobs.size === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  function idle(): Promise<void> {
    return jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => void idlers.push(resolve))
  }

  return {
    deliver,
    inFlight: (id) => jobs.get(id)?.sending === true,
    async attempted(id) {
      if (!closed && (jobs.has(id) || isDue(world.get('deliveries', id)))) {
        await watchers.watch(id)
      }
      return requireDelivery(world, id)
    },
    count: () => ({ sending, queued: jobs.size - sending }),
    idle,
    committed: holds.committed,
    async close({ grace_ms }) {
      closed = true
      for (const job of [...jobs.values()]) if (!job.sending) abandon(job)
      let timer: { cancel(): void } | undefined
      const grace = new Promise<void>((resolve) => {
        timer = ports.wall.setTimeout(resolve, grace_ms)
      })
      await Promise.race([idle(), grace])
      timer?.cancel()
      for (const job of [...jobs.values()]) abandon(job)
      watchers.tellAll()
    },
  }

  /** Its row still waits: a restart sends it. */
  function abandon(job: Job): void {
    jobs.delete(job.id)
    job.resolve()
    tellIdlers()
  }
}
