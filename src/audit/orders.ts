// Supplies the orders of a run: generated ones, or given ones for a handler that accepts only orders that it created.
import type { Check, MessageValues } from './check.ts'
import type { Result } from './judge.ts'

export interface CheckOrders {
  /** Returns the order of the next payment. */
  next(): string
  /** Returns the orders of this check that an earlier payment had already used, if the check needs unused ones. */
  reused(): readonly string[]
}

export interface OrderSupply {
  /** @param check omitted for a message that belongs to no check */
  ordersFor(check?: Check): CheckOrders
  /** The number of given orders, or `undefined` if orders are generated. */
  readonly given: number | undefined
  /** The number of orders that the checks need. */
  readonly needed: number
}

/** Returns whether the check is about how a payment changes its order. A used order may not show the change. */
function needsUnused({ judge }: Check): boolean {
  return judge !== undefined
}

/**
 * If orders are given, each check of an effect gets unused orders, and all other checks share the remaining ones. If
 * too few are given, checks use orders again.
 * @param base the values of the messages, used to count the orders of each check
 */
export function createOrderSupply(
  given: readonly string[],
  checks: readonly Check[],
  base: Omit<MessageValues, 'order'>,
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

function ordersOf(check: Check, base: Omit<MessageValues, 'order'>): number {
  let count = 0
  check.steps({ ...base, order: () => `order-${++count}` })
  return count
}

/**
 * Adjusts a finding that was made with reused orders. Such a finding is only a warning, unless the handler rejected a
 * webhook.
 */
export function adjustToReuse<R extends { readonly result: Result; readonly got: string; readonly fix: string }>(
  report: R,
  reused: readonly string[],
  wereAllAccepted: boolean,
  { given, needed }: Pick<OrderSupply, 'given' | 'needed'>,
): R {
  if (reused.length === 0 || report.result === 'pass' || report.result === 'skip') return report
  const cause = `Give ${needed} orders: ${given} ${given === 1 ? 'was' : 'were'} given with --order-id.`
  return {
    ...report,
    result: wereAllAccepted ? 'warn' : report.result,
    got: `${report.got}; the orders ran out, and these were used again: ${reused.join(', ')}`,
    fix: wereAllAccepted ? cause : `${cause} ${report.fix}`,
  }
}
