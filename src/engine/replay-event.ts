// Spec 6.1: replays and manual retries. They have a new signature, and the same id and body, unless it was edited.

import type { Delivery } from '../domain/delivery.ts'
import { refuse } from '../domain/errors.ts'
import type { WebhookEvent } from '../domain/events.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { scheduleDelivery, subscribedEndpoints } from './fan-out.ts'
import type { Context } from './ports.ts'
import { requireRow } from './require-row.ts'
import type { World } from './world.ts'

export function replayEvent(
  command: Input<'replay_event'>,
  world: World,
  context: Context,
): Commit<readonly Delivery[]> {
  const draft = new Draft(world, context)
  const event = requireRow(world, 'events', command.event_id)
  const timestamp = command.same_timestamp ? firstTimestamp(world, event) : undefined
  const changes = omitUndefined({ timestamp, edited_body: command.body })
  const targets = receivers(draft, event, command)
  if (targets.length === 0) {
    throw refuse('not_allowed', 'No endpoint of the shop subscribes to this event. Add an endpoint, or pass a url.')
  }
  return draft.commit(
    targets.map((target) => scheduleDelivery(draft, event, { ...target, ...changes, no_retries: true, replay: true })),
  )
}

/**
 * Makes one more attempt of a delivery now. If it fails, a retry that was already scheduled still runs at its original
 * time. If the delivery was finished, no other attempt follows.
 */
export function retryDelivery(command: Input<'retry_delivery'>, world: World, context: Context): Commit<Delivery> {
  const draft = new Draft(world, context)
  const delivery = requireRow(world, 'deliveries', command.delivery_id)
  if (world.get('events', delivery.event_id) === undefined) {
    throw refuse('not_allowed', 'The event of this delivery is no longer kept, so its bytes cannot be sent again.')
  }
  if (delivery.endpoint_id !== undefined && world.get('endpoints', delivery.endpoint_id) === undefined) {
    throw refuse(
      'not_allowed',
      'The endpoint of this delivery was deleted. Replay the event to the current endpoints or to a url.',
    )
  }
  draft.setTimer('deliver', delivery.id, draft.now)
  return draft.commit(
    draft.put('deliveries', {
      ...delivery,
      ...laterRetries(delivery, draft),
      status: 'waiting',
      next_attempt_at: draft.now,
    }),
  )
}

/** Returns what follows the manual retry. An attempt that is already due or in flight counts as the manual retry. */
function laterRetries(delivery: Delivery, { now }: Draft): Pick<Delivery, 'no_retries' | 'resume_at'> {
  if (delivery.status !== 'waiting') return { no_retries: true }
  const { next_attempt_at: due = now } = delivery
  return due > now ? { resume_at: delivery.resume_at ?? due } : {}
}

function receivers(
  draft: Draft,
  event: WebhookEvent,
  { endpoint_id, url }: Input<'replay_event'>,
): { url: string; endpoint_id?: string }[] {
  if (endpoint_id !== undefined) {
    const endpoint = draft.get('endpoints', endpoint_id)
    // Spec 6.1: only endpoints of the event's shop.
    if (endpoint === undefined || endpoint.shop_id !== event.shop_id) {
      throw refuse('not_found', `The event's shop has no endpoint ${endpoint_id.slice(0, 64)}.`)
    }
    return [{ url: endpoint.url, endpoint_id }]
  }
  if (url !== undefined) return [{ url }]
  const paymentUrl = draft.get('payments', event.object_id)?.webhook_url
  if (paymentUrl !== undefined) return [{ url: paymentUrl }]
  return subscribedEndpoints(draft.world, event).map((endpoint) => ({ url: endpoint.url, endpoint_id: endpoint.id }))
}

/** Returns the time of the first signature of this event in Unix seconds, or its creation time if it was never sent. */
function firstTimestamp(world: World, event: WebhookEvent): number {
  let first = Number.POSITIVE_INFINITY
  for (const { attempts } of world.find('deliveries', 'by_event', event.id)) {
    for (const { sent_at } of attempts) first = Math.min(first, sent_at)
  }
  return Math.floor((Number.isFinite(first) ? first : event.created_at) / 1000)
}
