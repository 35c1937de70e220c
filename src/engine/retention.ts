import type { Draft } from './draft.ts'
import type { Tables } from './tables.ts'

/** Rows scanned per insert: the oldest few, then onwards from the retention cursor. */
const OLDEST = 3
const SCAN_BATCH = 8

/** Bounds the number of events: deletes the oldest finished events above the limit, with their deliveries. */
export function trimEvents(draft: Draft): void {
  const { world } = draft
  trim(draft, 'events', ({ id }) => {
    const deliveries = world.find('deliveries', 'by_event', id)
    if (deliveries.some(({ status }) => status === 'waiting')) return false
    for (const delivery of deliveries) draft.delete('deliveries', delivery.id)
    return true
  })
}

/** Bounds the number of deliveries separately, because replays and many endpoints create more deliveries than events. */
export function trimDeliveries(draft: Draft): void {
  trim(draft, 'deliveries', ({ status }) => status !== 'waiting')
}

/** @param isFinished true for a row that may be deleted; it may also delete dependent rows */
function trim<T extends 'events' | 'deliveries'>(
  draft: Draft,
  table: T,
  isFinished: (row: Tables[T]) => boolean,
): void {
  const { world } = draft
  const surplus = world.size(table) + 1 - world.settings['retention.events']
  if (surplus <= 0) return
  let left = Math.min(surplus, 2)
  let scanned = 0
  const seen = new Set<string>()

  function scan(row: Tables[T]): boolean {
    scanned++
    if (seen.has(row.id)) return true
    seen.add(row.id)
    const finished = isFinished(row)
    if (finished) {
      draft.delete(table, row.id)
      left--
    }
    return finished
  }

  for (const row of world.rows(table)) {
    if (left === 0) return
    if (scanned === OLDEST) break
    scan(row)
  }
  const before = draft.retentionCursor[table]
  const cursor = continueFrom(before)
  if (cursor !== before) draft.retentionCursor = { ...draft.retentionCursor, [table]: cursor }

  function continueFrom(from: string | undefined): string | undefined {
    let stopped = from
    for (const row of world.rowsAfter(table, from)) {
      if (left === 0 || scanned === SCAN_BATCH) return stopped
      if (!scan(row)) stopped = row.id
    }
    // The scan reached the end. Skipped rows may be finished now, so the next scan starts from the oldest.
    return undefined
  }
}

/** Deletes expired idempotency keys, two for each new one, so that their number is bounded (Spec 5.7). */
export function trimIdempotency(draft: Draft): void {
  let left = 2
  for (const record of draft.world.rows('idempotency')) {
    if (left-- === 0 || record.expires_at > draft.now) return
    draft.delete('idempotency', record.id)
  }
}
