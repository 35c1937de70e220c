// Records as the control API shows them.
import type { Attempt, Delivery, HeaderList, RecordedBody } from '../../domain/delivery.ts'
import type { WebhookEvent } from '../../domain/events.ts'
import type { Payment } from '../../domain/payment.ts'
import { presentPayment } from '../../domain/payment.ts'
import { type Payout, presentPayout } from '../../domain/payout.ts'
import type { ApiKey, Endpoint, Shop } from '../../domain/shop.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { World } from '../../engine/world.ts'
import type { Services } from '../services.ts'

export function showPayment(world: World, payment: Payment) {
  const shop = shopOf(world, payment.shop_id)
  return presentPayment(payment, world.find('refunds', 'by_payment', payment.id), shop, world.settings)
}

export function showPayout(world: World, payout: Payout) {
  return presentPayout(payout, shopOf(world, payout.shop_id), world.settings)
}

export function showShop(world: World, shop: Shop) {
  const merchant = world.get('merchants', shop.merchant_id)
  return {
    id: shop.id,
    merchant_id: shop.merchant_id,
    name: shop.name,
    live_enabled: merchant?.live_enabled ?? false,
    require_signature: shop.require_signature,
    ip_allow_list: shop.ip_allow_list,
    rate_limit: merchant?.rate_limit ?? null,
    payout_route: shop.payout_route,
    created_at: rfc3339(shop.created_at),
  }
}

export function showKey(key: ApiKey) {
  const { id, mode, hint, created_at, revoked_at } = key
  return {
    id,
    mode,
    hint,
    created_at: rfc3339(created_at),
    revoked_at: revoked_at === undefined ? null : rfc3339(revoked_at),
  }
}

/** Without the secret: that is shown once. */
export function showEndpoint({ id, shop_id, url, events, signature, active }: Endpoint) {
  return { id, shop_id, url, events, signature, active }
}

export function showEvent(event: WebhookEvent) {
  const { id, created_at, shop_id, object_id, body } = event
  const { data } = JSON.parse(body) as { data: unknown }
  return { id, event: event.event, created_at: rfc3339(created_at), shop_id, object_id, data }
}

export function showDelivery({ engine, courier }: Services, delivery: Delivery) {
  const { id, event_id, event, object_id, shop_id, endpoint_id, url, status, next_attempt_at, attempts } = delivery
  const body = engine.world.get('events', event_id)?.body
  return {
    id,
    event_id,
    event,
    object_id,
    shop_id,
    endpoint_id: endpoint_id ?? null,
    url,
    status: status === 'waiting' && courier.inFlight(id) ? 'sending' : status,
    next_attempt_at: next_attempt_at === undefined ? null : rfc3339(next_attempt_at),
    attempts: attempts.map((attempt) => showAttempt(attempt, body)),
  }
}

function showAttempt(attempt: Attempt, eventBody: string | undefined) {
  const { number, at, sent_at, ms, status, error, fault, response_headers } = attempt
  return {
    number,
    at: rfc3339(at),
    sent_at: rfc3339(sent_at),
    ms,
    status: status ?? null,
    error: error ?? null,
    ...(fault === undefined ? {} : { fault }),
    request: {
      headers: headersOf(attempt.request_headers),
      ...bodyOf(attempt.request_body ?? (eventBody === undefined ? undefined : { text: eventBody })),
    },
    response:
      response_headers === undefined
        ? null
        : { headers: headersOf(response_headers), ...bodyOf(attempt.response_body ?? { text: '' }) },
  }
}

/** Names in lower case; repeated ones are joined as HTTP does. */
function headersOf(list: HeaderList): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of list) {
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

function bodyOf(body: RecordedBody | undefined) {
  if (body === undefined) return {}
  return {
    ...(body.b64 === undefined ? { body: body.text ?? '' } : { body_b64: body.b64 }),
    ...(body.truncated ? { truncated: true } : {}),
  }
}

function shopOf(world: World, id: string): Shop {
  const shop = world.get('shops', id)
  if (shop === undefined) throw new Error(`The store has no shop ${id}, though a record of it is there.`)
  return shop
}
