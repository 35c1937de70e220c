// The facts with which `match` of webhook and stream faults is compared: those of the message and those of its object.
import type { Delivery } from '../domain/delivery.ts'
import type { StreamMessage, WebhookEvent } from '../domain/events.ts'
import type { Facts } from '../domain/faults.ts'
import { paymentFacts, payoutFacts } from '../domain/match-fields.ts'
import type { World } from '../engine/world.ts'

/** @param event the status comes from its body, because the object may have changed since */
export function deliveryFacts(world: World, delivery: Delivery, event: WebhookEvent): Facts {
  const { id, event: name, event_id, object_id, shop_id, endpoint_id, url, attempts } = delivery
  return {
    ...objectFacts(world, object_id),
    ...eventFacts(name),
    status: statusIn(event.body),
    delivery_id: id,
    event_id,
    object_id,
    shop_id,
    endpoint_id,
    url,
    attempt: attempts.length + 1,
  }
}

export function eventFacts(event: string): Facts {
  const operation = event === 'payment.refunded' ? 'refund' : event.split('.')[0]
  return { event, method: 'POST', operation }
}

export function messageFacts(world: World, { kind, shop_id, payload }: StreamMessage): Facts {
  const { id, payment_id, status } = payload
  const object = objectFacts(world, String(payment_id ?? id))
  return { ...object, status: String(status), kind, shop_id, object_id: String(id) }
}

/** Returns the facts of a payment or payout. */
export function objectFacts(world: World, id: string): Facts {
  const payment = world.get('payments', id)
  if (payment !== undefined) return paymentFacts(payment)
  const payout = world.get('payouts', id)
  return payout === undefined ? {} : payoutFacts(payout)
}

function statusIn(body: string): string | undefined {
  const { data } = JSON.parse(body) as { readonly data?: { readonly status?: string } }
  return data?.status
}
