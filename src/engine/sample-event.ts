import type { WebhookEvent } from '../domain/events.ts'
import { type Payment, presentPayment } from '../domain/payment.ts'
import type { Shop } from '../domain/shop.ts'
import { addMs, rfc3339 } from '../domain/time.ts'
import type { Draft } from './draft.ts'

/** Returns an event to test an endpoint. Its payment is not stored; `metadata.sample` marks it. */
export function sampleEvent(draft: Draft, shop: Shop): WebhookEvent {
  const payment = samplePayment(draft, shop)
  const id = `evt_${draft.context.random.token(24)}`
  const format = draft.world.settings
  return draft.put('events', {
    id,
    event: 'payment.succeeded',
    created_at: draft.now,
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    object_id: payment.id,
    body: JSON.stringify({
      id,
      event: 'payment.succeeded',
      created_at: rfc3339(draft.now, format.time_fraction),
      data: presentPayment(payment, [], shop, format),
    }),
  })
}

function samplePayment(draft: Draft, shop: Shop): Payment {
  return {
    id: draft.context.random.uuid(),
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    mode: 'test',
    order_id: `ord_${draft.now}`,
    amount: 10_000,
    amount_refunded: 0,
    amount_usdt: 1.25,
    currency: 'RUB',
    method: 'sbp',
    status: 'succeeded',
    created_at: draft.now,
    captured_at: draft.now,
    finalized_at: draft.now,
    expires_at: addMs(draft.now, draft.world.settings.link_ttl),
    metadata: { sample: 'true', mode: 'test' },
    plan: { outcome: 'succeeded', decided_by: 'sample' },
  }
}
