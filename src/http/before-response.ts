// Fault `before_response`: delays a response until the webhook about the object has been sent.
import { eventFacts, objectFacts } from '../delivery/fault-facts.ts'
import { refuse } from '../domain/errors.ts'
import type { WebhookEventName } from '../domain/events.ts'
import { parseFault } from '../domain/fault-syntax.ts'
import { type Facts, type Fault, matches } from '../domain/faults.ts'
import { replacesState } from '../engine/commit.ts'
import { removedFaultTest } from '../engine/consume-faults.ts'
import type { Engine } from '../engine/engine.ts'
import { subscribedEndpoints } from '../engine/fan-out.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

/** Events that an operation may cause, now or later. */
const EVENTS: { readonly [operation: string]: readonly WebhookEventName[] } = {
  payment: ['payment.succeeded', 'payment.failed', 'payment.expired'],
  'payment.cancel': ['payment.cancelled'],
  refund: ['payment.refunded'],
  payout: ['payout.succeeded', 'payout.failed'],
}

/**
 * Returns a promise that resolves after an attempt for the object, when the response may be sent. The promise resolves after
 * `webhook_timeout` of the system clock at the latest. Returns `undefined` if the response need not wait.
 */
export type WaitForWebhook = (operation: string, objectId: string, shopId: string) => Promise<void> | undefined

/**
 * Returns what to compare for a webhook that is expected: the match of the fault, and the facts of the webhook. For
 * `payment.refunded` the status is not compared, because the payment may be refunded only in part.
 */
function expectedWebhook(match: Fault['match'], facts: Facts, event: WebhookEventName): [Fault['match'], Facts] {
  const { status, ...others } = match
  if (event === 'payment.refunded') return [others, { ...facts, ...eventFacts(event) }]
  return [match, { ...facts, ...eventFacts(event), status: event.split('.')[1] }]
}

/** Ends a wait. With an error, the promise of the wait rejects. */
type EndWait = (error?: Error) => void

export function createWaitForWebhook(
  engine: Engine,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  closing?: AbortSignal,
): WaitForWebhook {
  const { world } = engine
  /** By object id: the waits for webhooks about the object, each with the id of its fault. */
  const waitsByObject = new Map<string, Map<EndWait, string>>()

  engine.onCommit((commit, command) => {
    if (waitsByObject.size === 0) return
    if (replacesState(commit)) {
      for (const each of waitsByObject.values()) for (const go of each.keys()) go(refuse('sandbox_reset'))
      return
    }
    if (command === 'record_attempt') {
      for (const { table, row } of commit.puts) if (table === 'deliveries') release(row.object_id)
    }
    const isRemoved = removedFaultTest(commit)
    if (isRemoved === undefined) return
    for (const each of waitsByObject.values()) for (const [go, fault] of each) if (isRemoved(fault)) go()
  })

  // No more attempts are made after the sandbox closes. The object is stored, so its response can be sent.
  closing?.addEventListener('abort', () => {
    for (const each of waitsByObject.values()) for (const go of each.keys()) go()
  })

  function release(objectId: string): void {
    for (const go of waitsByObject.get(objectId)?.keys() ?? []) go()
  }

  /** Returns the id of a fault that may apply to the next webhook. Its `probability` is drawn only when the webhook is sent. */
  function matchingFault(operation: string, object_id: string, shop_id: string): string | undefined {
    const events = EVENTS[operation] ?? []
    for (const fault of world.rows('faults', 'newest')) {
      if (fault.target !== 'webhook' || fault.times === 0 || fault.probability === 0) continue
      if (fault.every !== undefined && (fault.matched + 1) % fault.every !== 0) continue
      if (parseFault('webhook', fault.fault)?.name !== 'before_response') continue
      // The endpoint and the attempt are not known yet.
      const { endpoint_id, attempt, ...match } = fault.match
      const facts = { ...objectFacts(world, object_id), object_id, shop_id }
      if (events.some((event) => matches(...expectedWebhook(match, facts, event)))) return fault.id
    }
    return undefined
  }

  /** Without a receiver, no attempt is made that could end the wait. */
  function hasReceiver(operation: string, objectId: string, shop_id: string): boolean {
    if (world.get('payments', objectId)?.webhook_url !== undefined) return true
    return EVENTS[operation]?.some((event) => subscribedEndpoints(world, { shop_id, event }).length > 0) === true
  }

  return (operation, objectId, shopId) => {
    if (world.size('faults') === 0) return undefined
    const fault = matchingFault(operation, objectId, shopId)
    if (fault === undefined || !hasReceiver(operation, objectId, shopId)) return undefined
    return new Promise((resolve, reject) => {
      const go: EndWait = (error) => {
        deadline.cancel()
        const others = waitsByObject.get(objectId)
        others?.delete(go)
        if (others?.size === 0) waitsByObject.delete(objectId)
        if (error === undefined) resolve()
        else reject(error)
      }
      const deadline = systemClock.setTimeout(() => go(), world.settings.webhook_timeout)
      waitsByObject.set(objectId, (waitsByObject.get(objectId) ?? new Map<EndWait, string>()).set(go, fault))
    })
  }
}
