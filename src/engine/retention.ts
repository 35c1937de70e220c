import type { Draft } from './draft.ts'
import type { Tables } from './tables.ts'

/** The number of oldest rows that are scanned first. */
const OLDEST_ROWS = 3
/** The number of rows that are scanned for each insert, including the oldest rows. */
const SCAN_BATCH = 8

/** Bounds the number of events: deletes old finished events above the limit, with their deliveries. */
export function trimEvents(draft: Draft): void {
  trim(draft, 'events', ({ id }) => {
    const deliveries = draft.world.find('deliveries', 'by_event', id)
    if (deliveries.some(({ status }) => status === 'waiting')) return false
    for (const delivery of deliveries) draft.delete('deliveries', delivery.id)
    draft.delete('events', id)
    return true
  })
}

/** Bounds the deliveries separately, because replays and many endpoints create more deliveries than events. */
export function trimDeliveries(draft: Draft): void {
  trim(draft, 'deliveries', ({ id, status }) => {
    if (status === 'waiting') return false
    draft.delete('deliveries', id)
    return true
  })
}

/**
 * Deletes at most two rows above the limit.
 * @param deleteIfFinished deletes a row with its dependent rows if it is finished, and returns whether it did
 */
function trim<T extends 'events' | 'deliveries'>(
  draft: Draft,
  table: T,
  deleteIfFinished: (row: Tables[T]) => boolean,
): void {
  const { world } = draft
  const surplus = world.size(table) + 1 - world.settings['retention.events']
  if (surplus <= 0) return
  let left = Math.min(surplus, 2)
  let scanned = 0
  const seen = new Set<string>()

  /** Returns false if the row is unfinished and was not seen before. The cursor then moves past it. */
  function scan(row: Tables[T]): boolean {
    scanned++
    if (seen.has(row.id)) return true
    seen.add(row.id)
    const isDeleted = deleteIfFinished(row)
    if (isDeleted) left--
    return isDeleted
  }

  for (const row of world.rows(table)) {
    if (left === 0) return
    if (scanned === OLDEST_ROWS) break
    scan(row)
  }
  const before = draft.retentionCursor[table]
  const cursor = scanAfter(before)
  if (cursor !== before) draft.retentionCursor = { ...draft.retentionCursor, [table]: cursor }

  function scanAfter(cursor: string | undefined): string | undefined {
    let lastUnfinished = cursor
    for (const row of world.rowsAfter(table, cursor)) {
      if (left === 0 || scanned === SCAN_BATCH) return lastUnfinished
      if (!scan(row)) lastUnfinished = row.id
    }
    // The scan reached the end. Skipped rows may be finished now, so the next scan starts from the oldest.
    return undefined
  }
}

/** Deletes at most two expired idempotency keys for each new key, so that their number is bounded (Spec 5.7). */
export function trimIdempotency(draft: Draft): void {
  let left = 2
  for (const record of draft.world.rows('idempotency')) {
    if (left-- === 0 || record.expires_at > draft.now) return
    draft.delete('idempotency', record.id)
  }
}
