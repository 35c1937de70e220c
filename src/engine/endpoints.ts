// Spec 6.1: webhook endpoints of a shop. Listeners are endpoints that receive through the control API.

import type { Delivery } from '../domain/delivery.ts'
import { refuse } from '../domain/errors.ts'
import { type Payment, presentPayment } from '../domain/payment.ts'
import type { Endpoint, Shop } from '../domain/shop.ts'
import { addMs } from '../domain/time.ts'
import type { Input } from './command.ts'
import type { EndpointInput } from './command-inputs.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { recordEvent, scheduleDelivery } from './fan-out.ts'
import type { Context } from './ports.ts'
import { requireRow } from './require-row.ts'
import type { World } from './world.ts'

export function createEndpoint(command: Input<'create_endpoint'>, world: World, context: Context): Commit<Endpoint> {
  const draft = new Draft(world, context)
  return draft.commit(addEndpoint(draft, requireRow(world, 'shops', command.shop_id), command.input))
}

export function addEndpoint(draft: Draft, shop: Shop, input: EndpointInput): Endpoint {
  return draft.put('endpoints', {
    id: `we_${draft.context.random.token(16)}`,
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    url: input.url,
    events: input.events ?? [],
    signature: input.signature ?? 'v2',
    active: true,
    created_at: draft.now,
    ...(input.own_secret === false ? {} : { secret: secret(draft, 'whs') }),
    former_secrets: [],
  })
}

/** Updates an endpoint. Waiting deliveries use its new URL. If it becomes inactive, they are cancelled. */
export function updateEndpoint(command: Input<'update_endpoint'>, world: World, context: Context): Commit<Endpoint> {
  const draft = new Draft(world, context)
  const before = requireRow(world, 'endpoints', command.endpoint_id)
  const endpoint = draft.put('endpoints', { ...before, ...command.change })
  if (before.active && !endpoint.active) cancelWaiting(draft, endpoint.id)
  else if (before.url !== endpoint.url) {
    for (const delivery of waitingFor(world, endpoint.id)) draft.put('deliveries', { ...delivery, url: endpoint.url })
  }
  return draft.commit(endpoint)
}

export function deleteEndpoint(command: Input<'delete_endpoint'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  const { id } = requireRow(world, 'endpoints', command.endpoint_id)
  draft.delete('endpoints', id)
  cancelWaiting(draft, id)
  return draft.commit(null)
}

function cancelWaiting(draft: Draft, endpointId: string): void {
  for (const delivery of waitingFor(draft.world, endpointId)) {
    draft.cancelTimer('deliver', delivery.id)
    // Removes the times of the next attempt, and of the retry that a manual attempt postponed.
    const { next_attempt_at, resume_at, ...rest } = delivery
    draft.put('deliveries', { ...rest, status: 'cancelled' })
  }
}

/** Scans the timers, which are few, instead of all deliveries. Every waiting delivery has a timer. */
function* waitingFor(world: World, endpointId: string): Iterable<Delivery> {
  for (const timer of world.rows('timers')) {
    const delivery = timer.kind === 'deliver' ? world.get('deliveries', timer.object_id) : undefined
    if (delivery?.endpoint_id === endpointId) yield delivery
  }
}

/** Rotates the secret. All later attempts use the new secret, and the old secret is invalid at once. */
export function rotateEndpointSecret(
  command: Input<'rotate_endpoint_secret'>,
  world: World,
  context: Context,
): Commit<Endpoint> {
  const draft = new Draft(world, context)
  const endpoint = requireRow(world, 'endpoints', command.endpoint_id)
  const former = endpoint.secret === undefined ? [] : [endpoint.secret]
  return draft.commit(
    draft.put('endpoints', {
      ...endpoint,
      secret: secret(draft, 'whs'),
      former_secrets: [...former, ...endpoint.former_secrets].slice(0, 10),
    }),
  )
}

/** Sends a signed sample event `payment.succeeded`. Its payment is not stored, and has `metadata.sample`. */
export function testEndpoint(command: Input<'test_endpoint'>, world: World, context: Context): Commit<Delivery> {
  const draft = new Draft(world, context)
  const endpoint = requireRow(world, 'endpoints', command.endpoint_id)
  const shop = draft.shop(endpoint.shop_id)
  const payment = samplePayment(draft, shop)
  const data = presentPayment(payment, [], shop, world.settings)
  const event = recordEvent(draft, 'payment.succeeded', payment, data)
  return draft.commit(scheduleDelivery(draft, event, { url: endpoint.url, endpoint_id: endpoint.id, no_retries: true }))
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

/**
 * Opens a listener or resumes the one with this id. With `backfill`, it also gets the matching events of the last
 * `backfill` ms that were not scheduled for it, except those of payments with a `webhook_url`.
 */
export function openListener(command: Input<'open_listener'>, world: World, context: Context): Commit<Endpoint> {
  const draft = new Draft(world, context)
  const shop = requireRow(world, 'shops', command.shop_id)
  const known = command.id === undefined ? undefined : world.get('endpoints', command.id)
  if (known !== undefined && (known.listener !== true || known.shop_id !== shop.id)) {
    throw refuse('not_allowed', `id: ${known.id} is not a listener of this shop.`)
  }
  const listener = draft.put('endpoints', {
    ...(known ?? {
      id: command.id ?? `lst_${context.random.token(16)}`,
      merchant_id: shop.merchant_id,
      shop_id: shop.id,
      created_at: context.now,
      former_secrets: [],
      listener: true,
    }),
    url: command.url,
    events: command.events,
    signature: command.signature,
    active: true,
  })
  if (command.backfill !== undefined) backfill(draft, listener, command.backfill)
  return draft.commit(listener)
}

function backfill(draft: Draft, listener: Endpoint, span: number): void {
  const missed = []
  for (const event of draft.world.rows('events', 'newest')) {
    if (event.created_at < draft.now - span) break
    if (event.shop_id !== listener.shop_id) continue
    if (listener.events.length > 0 && !listener.events.includes(event.event)) continue
    if (draft.get('payments', event.object_id)?.webhook_url !== undefined) continue
    const wasScheduled = draft.world
      .find('deliveries', 'by_event', event.id)
      .some(({ endpoint_id, status }) => endpoint_id === listener.id && status !== 'cancelled')
    if (!wasScheduled) missed.push(event)
  }
  // `in_backlog`: first attempts are sent in the order of all events, not per object.
  const to = { url: listener.url, endpoint_id: listener.id, in_backlog: true } as const
  for (const event of missed.reverse()) scheduleDelivery(draft, event, to)
}

/** Returns a new secret: `thm_` signs requests, `whs_` signs webhooks (Spec 5.6). */
export function secret(draft: Draft, kind: 'thm' | 'whs'): string {
  return `${kind}_${draft.context.random.token(32)}`
}
