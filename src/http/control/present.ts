// Objects of shops as the control API returns them.
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { type Payment, presentPayment } from '../../domain/payment.ts'
import { type Payout, presentPayout } from '../../domain/payout.ts'
import { presentRefund, type Refund } from '../../domain/refund.ts'
import type { ApiKey, Endpoint, Shop } from '../../domain/shop.ts'
import { formatPlan, type StoredPlan } from '../../domain/simulator-plan.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { World } from '../../engine/world.ts'

/** Returns the object as the public API does. */
export function showPayment(world: World, payment: Payment) {
  const refunds = world.find('refunds', 'by_payment', payment.id)
  return presentPayment(payment, refunds, ownerOf(world, payment), world.settings)
}

/** Returns the object as the public API does. */
export function showPayout(world: World, payout: Payout) {
  return presentPayout(payout, ownerOf(world, payout), world.settings)
}

/**
 * Returns the public object with the additional fields of lists. `Object.assign` adds them, because a spread that adds
 * fields takes V8 ten times as long.
 */
export function showPaymentInList(world: World, payment: Payment) {
  const { mode, plan, description } = payment
  const about = description === undefined ? {} : { description }
  return Object.assign(showPayment(world, payment), about, { mode }, planned(plan))
}

export function showPayoutInList(world: World, payout: Payout) {
  return Object.assign(showPayout(world, payout), { mode: payout.mode }, planned(payout.plan))
}

export function showRefundInList(world: World, refund: Refund) {
  const { shop_id, plan } = refund
  return Object.assign(presentRefund(refund, world.settings), { shop_id }, planned(plan))
}

function planned(plan: StoredPlan) {
  return { plan: formatPlan(plan), decided_by: plan.decided_by }
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

export function showKey({ id, shop_id, mode, hint, created_at, revoked_at }: ApiKey) {
  return {
    id,
    shop_id,
    mode,
    hint,
    created_at: rfc3339(created_at),
    revoked_at: timeOrNull(revoked_at),
  }
}

export function timeOrNull(time: number | undefined): string | null {
  return time === undefined ? null : rfc3339(time)
}

/** Returns an endpoint without its secret. */
export function showEndpoint({ id, shop_id, url, events, signature, active, created_at }: Endpoint) {
  return { id, shop_id, url, events, signature, active, created_at: rfc3339(created_at) }
}

/**
 * Returns an endpoint with its secret, if it has its own. Apart from exports, only the response to its creation or
 * rotation contains the secret.
 */
export function showEndpointWithSecret(endpoint: Endpoint) {
  return omitUndefined({ ...showEndpoint(endpoint), secret: endpoint.secret })
}

/** Returns a rule or a fault as the control API shows it. */
export function showRuleOrFault<R extends { readonly created_at: number }>(row: R) {
  return { ...row, created_at: rfc3339(row.created_at) }
}

function ownerOf(world: World, { shop_id }: { readonly shop_id: string }): Shop {
  const shop = world.get('shops', shop_id)
  if (shop === undefined) throw new Error(`The store contains rows of the shop ${shop_id}, but not the shop itself.`)
  return shop
}
