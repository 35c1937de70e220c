// The orders of a run: those given for a handler that only knows its own orders, or drawn ones.
import type { Check, Ground } from './check.ts'
import type { Result } from './judge.ts'

/** The orders of one check. */
export interface CheckOrders {
  /** Returns the order of the next payment. */
  next(): string
  /** The orders that an earlier payment had used, if the check needs unused ones. */
  reused(): readonly string[]
}

export interface OrderSupply {
  /** @param check absent: a message outside of the checks */
  ordersFor(check?: Check): CheckOrders
  /** How many orders are given; `undefined` if none is, and they are drawn. */
  readonly given: number | undefined
  /** How many orders the checks need. */
  readonly needed: number
}

/** True if the check is about what a payment does to its order: an order that was used before shows nothing. */
function needsUnused({ judge }: Check): boolean {
  return judge !== undefined
}

/**
 * With given orders, each check of an effect has unused ones, and all other checks share the rest.
 * @param base of the messages, to count the orders of each check
 */
export function createOrderSupply(
  given: readonly string[],
  checks: readonly Check[],
  base: Omit<Ground, 'order'>,
): OrderSupply {
  const unused = checks.filter(needsUnused).reduce((sum, check) => sum + ordersOf(check, base), 0)
  const needed = unused + (unused === 0 || checks.some((check) => !needsUnused(check)) ? 1 : 0)
  const ids = [...new Set(given)]
  if (ids.length === 0) {
    const next = () => `audit-${base.random.token(12)}`
    return { ordersFor: () => ({ next, reused: () => [] }), given: undefined, needed }
  }
  const shared = ids.slice(0, Math.max(1, ids.length - unused))
  const reserved = ids.length > unused ? ids.slice(shared.length) : ids
  const used = new Set<string>()
  let sharedNext = 0
  let reservedNext = 0

  function ordersFor(check?: Check): CheckOrders {
    const reused = new Set<string>()
    const isReserved = check !== undefined && needsUnused(check)
    return {
      next() {
        const pool = isReserved ? reserved : shared
        const order = pool[(isReserved ? reservedNext++ : sharedNext++) % pool.length] as string
        if (isReserved && used.has(order)) reused.add(order)
        used.add(order)
        return order
      },
      reused: () => [...reused],
    }
  }
  return { ordersFor, given: ids.length, needed }
}

function ordersOf(check: Check, base: Omit<Ground, 'order'>): number {
  let count = 0
  check.steps({ ...base, order: () => `order-${++count}` })
  return count
}

/** A finding on orders that were used before: it says nothing about the handler unless that rejected a webhook. */
export function withReuse<R extends { readonly result: Result; readonly got: string; readonly fix: string }>(
  report: R,
  reused: readonly string[],
  wasTaken: boolean,
  { given, needed }: Pick<OrderSupply, 'given' | 'needed'>,
): R {
  if (reused.length === 0 || report.result === 'pass' || report.result === 'skip') return report
  const cause = `Give ${needed} orders: ${given} ${given === 1 ? 'was' : 'were'} given with --order-id.`
  return {
    ...report,
    result: wasTaken ? 'warn' : report.result,
    got: `${report.got}; the orders ran out: ${reused.join(', ')} had been used before`,
    fix: wasTaken ? cause : `${cause} ${report.fix}`,
  }
}
