import type { Delivery } from '../domain/delivery.ts'
import { type Deferred, deferred } from '../domain/promises.ts'
import { replacesState } from '../engine/commit.ts'
import { requireRow } from '../engine/require-row.ts'
import { createActiveAttempts } from './active-attempts.ts'
import { createAttemptSender } from './attempt-sender.ts'
import { createDeferredAttempts } from './deferred-attempts.ts'
import type { DispatcherPorts, WebhookDispatcher } from './dispatcher-types.ts'

/** Sends due deliveries concurrently. The queue contains ids only; the rows stay in the store. */
export function createDispatcher(ports: DispatcherPorts): WebhookDispatcher {
  const { world } = ports.engine
  const deferredAttempts = createDeferredAttempts(ports)
  const sender = createAttemptSender(ports, deferredAttempts)
  const waiters = createCompletionWaiters()
  /** Resolves the pending `idle()` calls. */
  let idlers: Deferred<void> | undefined
  const newActiveAttempts = () =>
    createActiveAttempts(ports.limits, sender, (id, end) => {
      if (end === 'over') waiters.resolve(id)
      if (active.size > 0) return
      idlers?.resolve()
      idlers = undefined
    })
  let active = newActiveAttempts()
  let closed = false

  /** A due delivery may not be active yet: its attempt starts in a later turn of the event loop. */
  function isDue(delivery: Delivery | undefined): boolean {
    return delivery?.status === 'waiting' && (delivery.next_attempt_at ?? 0) <= ports.now()
  }

  function idle(): Promise<void> {
    if (active.size === 0) return Promise.resolve()
    idlers ??= deferred()
    return idlers.promise
  }

  /** Called when the state was replaced. Earlier attempts no longer count against the concurrency limits. */
  function startOver(): void {
    const before = active
    active = newActiveAttempts()
    deferredAttempts.clear()
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
      else deferredAttempts.onCommit(...commit)
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
  const waiting = new Map<string, Deferred<void>>()

  function resolve(id: string): void {
    waiting.get(id)?.resolve()
    waiting.delete(id)
  }

  return {
    wait(id) {
      const waiter = waiting.get(id) ?? deferred()
      waiting.set(id, waiter)
      return waiter.promise
    },
    resolve,
    resolveAll() {
      for (const id of [...waiting.keys()]) resolve(id)
    },
  }
}
