// Spec 6.1: which receivers get an event. The body is serialized here, once.
import type { Delivery } from '../domain/delivery.ts'
import type { WebhookEvent, WebhookEventName } from '../domain/events.ts'
import { type Payment, presentPayment } from '../domain/payment.ts'
import { type Payout, presentPayout } from '../domain/payout.ts'
import type { Endpoint } from '../domain/shop.ts'
import { rfc3339 } from '../domain/time.ts'
import type { Draft } from './draft.ts'
import { trimDeliveries, trimEvents } from './retention.ts'
import type { World } from './world.ts'

export function emitPaymentEvent(draft: Draft, event: WebhookEventName, payment: Payment): void {
  const shop = draft.shop(payment.shop_id)
  const data = presentPayment(payment, draft.refundsOf(payment.id), shop, draft.world.settings)
  const row = recordEvent(draft, event, payment, data)
  if (payment.webhook_url === undefined) fanOut(draft, row)
  else scheduleDelivery(draft, row, { url: payment.webhook_url })
}

export function emitPayoutEvent(draft: Draft, event: WebhookEventName, payout: Payout): void {
  const data = presentPayout(payout, draft.shop(payout.shop_id), draft.world.settings)
  fanOut(draft, recordEvent(draft, event, payout, data))
}

/** Creates a delivery that is due now. The retry schedule follows, unless `no_retries` is set. */
export function scheduleDelivery(
  draft: Draft,
  event: WebhookEvent,
  to: Pick<Delivery, 'url' | 'endpoint_id' | 'no_retries' | 'replay' | 'timestamp' | 'edited_body' | 'in_backlog'>,
) {
  trimDeliveries(draft)
  const delivery = draft.put('deliveries', {
    id: `dlv_${draft.context.random.token(20)}`,
    event_id: event.id,
    event: event.event,
    object_id: event.object_id,
    merchant_id: event.merchant_id,
    shop_id: event.shop_id,
    ...to,
    status: 'waiting',
    created_at: draft.now,
    next_attempt_at: draft.now,
    attempts: [],
  })
  draft.setTimer('deliver', delivery.id, draft.now)
  return delivery
}

/** Returns the endpoints of the shop that subscribe to the event. No selection means all events (Spec 6.1). */
export function subscribedEndpoints(world: World, event: Pick<WebhookEvent, 'shop_id' | 'event'>): readonly Endpoint[] {
  return world
    .find('endpoints', 'by_shop', event.shop_id)
    .filter(({ active, events }) => active && (events.length === 0 || events.includes(event.event)))
}

/** Stores a new event. The oldest finished events above the limit are deleted. */
export function recordEvent(
  draft: Draft,
  event: WebhookEventName,
  about: { id: string; merchant_id: string; shop_id: string },
  data: unknown,
): WebhookEvent {
  const id = `evt_${draft.context.random.token(24)}`
  const created = rfc3339(draft.now, draft.world.settings.time_fraction)
  trimEvents(draft)
  return draft.put('events', {
    id,
    event,
    created_at: draft.now,
    merchant_id: about.merchant_id,
    shop_id: about.shop_id,
    object_id: about.id,
    body: JSON.stringify({ id, event, created_at: created, data }),
  })
}

function fanOut(draft: Draft, event: WebhookEvent): void {
  for (const { id, url } of subscribedEndpoints(draft.world, event))
    scheduleDelivery(draft, event, { url, endpoint_id: id })
}
