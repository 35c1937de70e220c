// Fault `before_response` of webhooks: the receiver hears of the object before the caller has its answer.
import { parseFault } from '../domain/fault-forms.ts'
import { matches } from '../domain/faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { WallClock } from '../time/wall.ts'

/** Which webhooks an operation may bring about, soon or later. */
const EVENTS: { readonly [operation: string]: readonly string[] } = {
  payment: ['payment.succeeded', 'payment.failed', 'payment.expired'],
  'payment.cancel': ['payment.cancelled'],
  refund: ['payment.refunded'],
  payout: ['payout.succeeded', 'payout.failed'],
}

export interface AboutToAnswer {
  readonly operation: string
  readonly object_id: string
  readonly shop_id: string
}

/**
 * When the answer may go: `undefined` at once, else after an attempt for the object was recorded. The wait ends after
 * `webhook_timeout` on the wall clock, whatever happens.
 */
export function createBeforeResponse(
  engine: Engine,
  wall: Pick<WallClock, 'setTimeout'>,
): (about: AboutToAnswer) => Promise<void> | undefined {
  const { world } = engine
  const waiting = new Map<string, Set<() => void>>()

  engine.onCommit((commit, command) => {
    if (waiting.size === 0) return
    if (command === 'record_attempt') {
      for (const { table, row } of commit.puts) if (table === 'deliveries') release(row.object_id)
    }
    // Removed faults let go what they held.
    if (commit.clear.includes('faults') || commit.deletes.some(({ table }) => table === 'faults')) {
      for (const id of [...waiting.keys()]) release(id)
    }
  })

  function release(objectId: string): void {
    for (const go of waiting.get(objectId) ?? []) go()
  }

  function wanted({ operation, object_id, shop_id }: AboutToAnswer): boolean {
    const events = EVENTS[operation] ?? []
    for (const fault of world.rows('faults', 'newest')) {
      if (fault.target !== 'webhook' || fault.times === 0) continue
      if (parseFault('webhook', fault.fault)?.name !== 'before_response') continue
      // Which endpoint and attempt it will be, nobody knows yet.
      const { endpoint_id, attempt, ...match } = fault.match
      if (events.some((event) => matches(match, { event, object_id, shop_id }))) return true
    }
    return false
  }

  function receivers({ object_id, shop_id }: AboutToAnswer): boolean {
    return (
      world.get('payments', object_id)?.webhook_url !== undefined ||
      world.find('endpoints', 'by_shop', shop_id).some(({ active }) => active)
    )
  }

  return (about) => {
    if (world.size('faults') === 0 || !wanted(about) || !receivers(about)) return undefined
    return new Promise((resolve) => {
      const go = () => {
        deadline.cancel()
        const others = waiting.get(about.object_id)
        others?.delete(go)
        if (others?.size === 0) waiting.delete(about.object_id)
        resolve()
      }
      const deadline = wall.setTimeout(go, world.settings.webhook_timeout)
      waiting.set(about.object_id, (waiting.get(about.object_id) ?? new Set()).add(go))
    })
  }
}
