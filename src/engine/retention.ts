import type { Draft } from './draft.ts'

/** Oldest rows looked at per new one; unfinished ones are stepped over. */
const LOOK = 8

/** Keeps the number of events bounded: for a new one, the oldest finished ones beyond the limit go with their deliveries. */
export function trimEvents(draft: Draft): void {
  const surplus = draft.world.size('events') + 1 - draft.world.settings['retention.events']
  if (surplus <= 0) return
  let left = Math.min(surplus, 2)
  let looked = 0
  for (const event of draft.world.rows('events')) {
    if (left === 0 || looked++ === LOOK) return
    const deliveries = draft.world.find('deliveries', 'by_event', event.id)
    if (deliveries.some(({ status }) => status === 'waiting')) continue
    for (const { id } of deliveries) draft.delete('deliveries', id)
    draft.delete('events', event.id)
    left--
  }
}

/** Replays and many endpoints make more deliveries than events: they are bounded by themselves, likewise. */
export function trimDeliveries(draft: Draft): void {
  const surplus = draft.world.size('deliveries') + 1 - draft.world.settings['retention.events']
  if (surplus <= 0) return
  let left = Math.min(surplus, 2)
  let looked = 0
  for (const { id, status } of draft.world.rows('deliveries')) {
    if (left === 0 || looked++ === LOOK) return
    if (status === 'waiting') continue
    draft.delete('deliveries', id)
    left--
  }
}

/** Forgets Idempotency-Keys whose time is over, two for each new one: so their number stays bounded (spec 5.7). */
export function trimIdempotency(draft: Draft): void {
  let left = 2
  for (const record of draft.world.rows('idempotency')) {
    if (left-- === 0 || record.expires_at > draft.now) return
    draft.delete('idempotency', record.id)
  }
}
