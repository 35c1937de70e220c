// Counts the payments of each status, for a line of any width.
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-states.ts'
import type { Tables } from '../state/rows.ts'
import { statusStyle, statusText } from '../theme/status-style.ts'
import type { Span } from '../theme/styled-line.ts'
import type { Symbols } from '../theme/symbols.ts'

/** Returns the same counts in several lengths, the longest first. Each variant contains every status. */
export function countVariants(tables: Tables, symbols: Symbols): readonly (readonly Span[])[] {
  const { total, byStatus } = countByStatus(tables)
  const payments = `${total} ${total === 1 ? 'payment' : 'payments'}`
  const buildVariant = (title: string, gap: string, text: (status: PaymentStatus, count: number) => string) => [
    [title, 'bold'] satisfies Span,
    ...byStatus.flatMap(([status, count]): Span[] => [gap, [text(status, count), statusStyle(status)]]),
  ]
  return [
    buildVariant(payments, '   ', (status, count) => `${statusText(status, symbols)} ${count}`),
    buildVariant(payments, '  ', (status, count) => `${status} ${count}`),
    buildVariant(payments, '  ', (status, count) => `${SHORT_NAMES[status]} ${count}`),
    buildVariant(String(total), '  ', (status, count) => `${SHORT_NAMES[status]} ${count}`),
    buildVariant(String(total), ' ', (status, count) => `${status.slice(0, 2)}${count}`),
  ]
}

const SHORT_NAMES = {
  pending: 'pend',
  processing: 'proc',
  succeeded: 'succ',
  failed: 'fail',
  expired: 'exp',
  cancelled: 'canc',
  refunded: 'ref',
} as const satisfies Record<PaymentStatus, string>

interface Counts {
  readonly total: number
  /** The statuses with at least one payment, in the order of `PAYMENT_STATUSES`. */
  readonly byStatus: readonly (readonly [PaymentStatus, number])[]
}

const cache = new WeakMap<Tables['payments'], Counts>()

/** Counts the payments once per table. */
function countByStatus({ payments }: Tables): Counts {
  const cached = cache.get(payments)
  if (cached !== undefined) return cached
  const counts = new Map<PaymentStatus, number>()
  for (const { payment } of payments.values()) counts.set(payment.status, (counts.get(payment.status) ?? 0) + 1)
  const byStatus = PAYMENT_STATUSES.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [[status, count] as const]
  })
  const result = { total: payments.size, byStatus }
  cache.set(payments, result)
  return result
}
