import type { Delivery } from '../domain/delivery.ts'
import { replacesState } from '../engine/commit.ts'
import { requireRow } from '../engine/require-row.ts'
import { createActiveAttempts } from './active-attempts.ts'
import { createAttemptSender } from './attempt-sender.ts'
import { createDeferredAttempts } from './deferred-attempts.ts'
import type { DispatcherPorts, WebhookDispatcher } from './dispatcher-types.ts'

/** Sends due deliveries concurrently. The queue contains ids only; the rows stay in the store. */
export function createDispatcher(ports: DispatcherPorts): WebhookDispatcher {
  const { world } = ports.engine
  const deferred = createDeferredAttempts(ports)
  const sender = createAttemptSender(ports, deferred)
  const waiters = createCompletionWaiters()
  const idlers: (() => void)[] = []
  const newActiveAttempts = () =>
    createActiveAttempts(ports.limits, sender, (id) => {
      waiters.resolve(id)
      if (active.size === 0) for (const resolve of idlers.splice(0)) resolve()
    })
  let active = newActiveAttempts()
  let closed = false

  /** A due delivery may not be active yet: its attempt starts in a later turn of the event loop. */
  function isDue(delivery: Delivery | undefined): boolean {
    return delivery?.status === 'waiting' && (delivery.next_attempt_at ?? 0) <= ports.now()
  }

  function idle(): Promise<void> {
    return active.size === 0 ? Promise.resolve() : new Promise((resolve) => void idlers.push(resolve))
  }

  /** Called when the state was replaced. Earlier attempts no longer count against the concurrency limits. */
  function startOver(): void {
    const before = active
    active = newActiveAttempts()
    deferred.clear()
    before.abandon()
    waiters.resolveAll()
  }

  return {
    deliver(id) {
      const current = active.find(id)
      if (current !== undefined) return current.done
      const delivery = world.get('deliveries', id)
      if (!closed && delivery?.status === 'waiting') return active.add(delivery).done
      waiters.resolve(id)
      return Promise.resolve()
    },
    isInFlight: (id) => active.find(id)?.sending === true,
    async waitForAttempt(id) {
      if (!closed && (active.find(id) !== undefined || isDue(world.get('deliveries', id)))) await waiters.wait(id)
      return requireRow(world, 'deliveries', id)
    },
    count: () => ({ sending: active.sending, queued: active.size - active.sending }),
    idle,
    onCommit(...commit) {
      if (replacesState(commit[0])) startOver()
      else deferred.onCommit(...commit)
    },
    async close({ grace_ms }) {
      closed = true
      // Abandoned deliveries still have the status `waiting`, so a restart sends them.
      active.abandon(({ sending }) => !sending)
      let timer: { cancel(): void } | undefined
      const grace = new Promise<void>((resolve) => {
        timer = ports.systemClock.setTimeout(resolve, grace_ms)
      })
      await Promise.race([idle(), grace])
      timer?.cancel()
      active.abandon()
      waiters.resolveAll()
    },
  }
}

/** Callers that wait until the attempt of a delivery is over. */
interface CompletionWaiters {
  wait(deliveryId: string): Promise<void>
  resolve(deliveryId: string): void
  resolveAll(): void
}

function createCompletionWaiters(): CompletionWaiters {
  const waiting = new Map<string, (() => void)[]>()

  function resolve(id: string): void {
    const resolves = waiting.get(id)
    if (resolves === undefined) return
    waiting.delete(id)
    for (const resolve of resolves) resolve()
  }

  return {
    wait: (id) => new Promise((resolve) => void waiting.set(id, [...(waiting.get(id) ?? []), resolve])),
    resolve,
    resolveAll() {
      for (const id of [...waiting.keys()]) resolve(id)
    },
  }
}
