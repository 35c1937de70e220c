import type { Delivery } from '../domain/delivery.ts'
import { requireDelivery } from '../engine/require-delivery.ts'
import { createAttempts } from './attempt.ts'
import { createChains } from './chains.ts'
import type { Courier, CourierPorts } from './courier-contract.ts'
import { createHolds } from './holds.ts'
import { createLanes, type Lane } from './lanes.ts'
import { originOf, receiverOf } from './receiver.ts'

interface Job extends Lane {
  readonly id: string
  /** A first attempt: those of one object to one receiver leave one after the other. */
  readonly chain: string | undefined
  /** It stands in the receiver's line, in which every object waits for every other. */
  readonly line: string | undefined
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  sending: boolean
}

/** Takes due deliveries to their receivers, many at once. What waits here is ids; the rows are in the store. */
export function createCourier(ports: CourierPorts): Courier {
  const { world } = ports.engine
  const jobs = new Map<string, Job>()
  const chains = createChains()
  const lines = createChains()
  const lanes = createLanes(ports.limits)
  const holds = createHolds(ports)
  const attempts = createAttempts(ports, holds)
  const watchers = new Map<string, (() => void)[]>()
  const idlers: (() => void)[] = []
  let sending = 0
  let closed = false

  function deliver(id: string): Promise<void> {
    const known = jobs.get(id)
    if (known !== undefined) return known.done
    const delivery = world.get('deliveries', id)
    if (closed || delivery?.status !== 'waiting') {
      tell(id)
      return Promise.resolve()
    }
    const job = newJob(delivery, lines.busy)
    jobs.set(id, job)
    if (job.line === undefined) enterChain(job)
    else lines.enter(job.line, () => enterChain(job))
    return job.done
  }

  function enterChain(job: Job): void {
    if (job.chain === undefined) enterLane(job)
    else chains.enter(job.chain, () => enterLane(job))
  }

  function enterLane(job: Job): void {
    lanes.enter(job, () => start(job))
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

  function leave(job: Job, settle: () => void): void {
    if (job.sending) sending--
    jobs.delete(job.id)
    settle()
    tell(job.id)
    lanes.leave(job)
    if (job.chain !== undefined) chains.leave(job.chain)
    if (job.line !== undefined) lines.leave(job.line)
    if (jobs.size > 0) return
    for (const resolve of idlers.splice(0)) resolve()
  }

  function tell(id: string): void {
    const waiting = watchers.get(id)
    if (waiting === undefined) return
    watchers.delete(id)
    for (const resolve of waiting) resolve()
  }

  /** It leaves in a later turn of the event loop. */
  function isDue(delivery: Delivery | undefined): boolean {
    return delivery?.status === 'waiting' && (delivery.next_attempt_at ?? 0) <= ports.now()
  }

  function idle(): Promise<void> {
    return jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => void idlers.push(resolve))
  }

  return {
    deliver,
    inFlight: (id) => jobs.get(id)?.sending === true,
    async attempted(id) {
      if (!closed && (jobs.has(id) || isDue(world.get('deliveries', id)))) {
        await new Promise<void>((resolve) => void watchers.set(id, [...(watchers.get(id) ?? []), resolve]))
      }
      return requireDelivery(world, id)
    },
    count: () => ({ sending, queued: jobs.size - sending }),
    idle,
    committed: holds.committed,
    async close({ grace_ms }) {
      closed = true
      for (const job of [...jobs.values()]) if (!job.sending) settleNow(job)
      let timer: { cancel(): void } | undefined
      const grace = new Promise<void>((resolve) => {
        timer = ports.wall.setTimeout(resolve, grace_ms)
      })
      await Promise.race([idle(), grace])
      timer?.cancel()
      for (const job of [...jobs.values()]) settleNow(job)
      for (const id of [...watchers.keys()]) tell(id)
    },
  }

  /** Its row still waits: a restart sends it. */
  function settleNow(job: Job): void {
    jobs.delete(job.id)
    job.resolve()
    if (jobs.size === 0) for (const resolve of idlers.splice(0)) resolve()
  }
}

/** While what was missed is still leaving, what is new stands behind it. */
function newJob(delivery: Delivery, isBusy: (receiver: string) => boolean): Job {
  let resolve = () => {}
  let reject = (_: unknown) => {}
  const done = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  const receiver = receiverOf(delivery)
  const first = delivery.attempts.length === 0 && delivery.once !== true
  return {
    id: delivery.id,
    receiver,
    origin: originOf(delivery.url),
    chain: first ? `${receiver} ${delivery.object_id}` : undefined,
    line: first && (delivery.in_line === true || isBusy(receiver)) ? receiver : undefined,
    done,
    resolve,
    reject,
    sending: false,
  }
}
