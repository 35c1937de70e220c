import type { Draft } from './draft.ts'
import type { Tables } from './tables.ts'

/** Rows looked at per new one: the oldest few, then on from the last unfinished one that was stepped over. */
const OLDEST = 3
const LOOK = 8

/** Keeps the number of events bounded: for a new one, the oldest finished ones beyond the limit go with their deliveries. */
export function trimEvents(draft: Draft): void {
  const { world } = draft
  trim(draft, 'events', ({ id }) => {
    const deliveries = world.find('deliveries', 'by_event', id)
    if (deliveries.some(({ status }) => status === 'waiting')) return false
    for (const delivery of deliveries) draft.delete('deliveries', delivery.id)
    return true
  })
}

/** Replays and many endpoints make more deliveries than events: they are bounded by themselves, likewise. */
export function trimDeliveries(draft: Draft): void {
  trim(draft, 'deliveries', ({ status }) => status !== 'waiting')
}

/** @param goes true for a finished row, which is deleted */
function trim<T extends 'events' | 'deliveries'>(draft: Draft, table: T, goes: (row: Tables[T]) => boolean): void {
  const { world } = draft
  const surplus = world.size(table) + 1 - world.settings['retention.events']
  if (surplus <= 0) return
  let left = Math.min(surplus, 2)
  let looked = 0
  const seen = new Set<string>()

  function look(row: Tables[T]): boolean {
    looked++
    if (seen.has(row.id)) return true
    seen.add(row.id)
    const finished = goes(row)
    if (finished) {
      draft.delete(table, row.id)
      left--
    }
    return finished
  }

  for (const row of world.rows(table)) {
    if (left === 0) return
    if (looked === OLDEST) break
    look(row)
  }
  const before = draft.looked[table]
  const place = lookOn(before)
  if (place !== before) draft.looked = { ...draft.looked, [table]: place }

  function lookOn(from: string | undefined): string | undefined {
    let stopped = from
    for (const row of world.rowsAfter(table, from)) {
      if (left === 0 || looked === LOOK) return stopped
      if (!look(row)) stopped = row.id
    }
    // The end: those that were stepped over may be finished by now.
    return undefined
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
