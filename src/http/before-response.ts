// Fault `before_response`: delays a response until the webhook about the object has been sent.
import { eventFacts, objectFacts } from '../delivery/fault-facts.ts'
import type { WebhookEventName } from '../domain/events.ts'
import { parseFault } from '../domain/fault-syntax.ts'
import { type Facts, type Fault, matches } from '../domain/faults.ts'
import type { Engine } from '../engine/engine.ts'
import { subscribedEndpoints } from '../engine/fan-out.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { createFaultDelay } from './fault-delay.ts'

/** Events that an operation may cause, now or later. */
const EVENTS: { readonly [operation: string]: readonly WebhookEventName[] } = {
  payment: ['payment.succeeded', 'payment.failed', 'payment.expired'],
  'payment.cancel': ['payment.cancelled'],
  refund: ['payment.refunded'],
  payout: ['payout.succeeded', 'payout.failed'],
}

/**
 * Returns a promise that resolves after an attempt for the object, when the response may be sent. It ends after
 * `webhook_timeout` of the system clock at the latest, and rejects if the state is replaced. Returns `undefined` if the
 * response need not wait.
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

export function createWaitForWebhook(
  engine: Engine,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  closing?: AbortSignal,
): WaitForWebhook {
  const { world } = engine
  // No more attempts are made after the sandbox closes. The object is stored, so its response can be sent.
  const delay = createFaultDelay(engine, systemClock, closing, 'resolve')

  /** Returns the id of a fault that may apply to the next webhook. Its `probability` is drawn only at the sending. */
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
    return delay(fault, world.settings.webhook_timeout, objectId)
  }
}
