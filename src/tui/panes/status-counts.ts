// How many payments there are of each status, in the words for which there is room.
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-states.ts'
import type { Tables } from '../state/rows.ts'
import { statusStyle, statusText } from '../theme/status-style.ts'
import type { Span } from '../theme/styled-line.ts'
import type { Symbols } from '../theme/symbols.ts'

/** The same counts, the wordiest first. Each of them names every status there is. */
export function countVariants(tables: Tables, symbols: Symbols): readonly (readonly Span[])[] {
  const { total, byStatus } = countByStatus(tables)
  const payments = `${total} ${total === 1 ? 'payment' : 'payments'}`
  const said = (whole: string, gap: string, text: (status: PaymentStatus, count: number) => string) => [
    [whole, 'bold'] satisfies Span,
    ...byStatus.flatMap(([status, count]): Span[] => [gap, [text(status, count), statusStyle(status)]]),
  ]
  return [
    said(payments, '   ', (status, count) => `${statusText(status, symbols)} ${count}`),
    said(payments, '  ', (status, count) => `${status} ${count}`),
    said(payments, '  ', (status, count) => `${SHORT_NAMES[status]} ${count}`),
    said(String(total), '  ', (status, count) => `${SHORT_NAMES[status]} ${count}`),
    said(String(total), ' ', (status, count) => `${status.slice(0, 2)}${count}`),
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
  /** Those there are, in the order of the states. */
  readonly byStatus: readonly (readonly [PaymentStatus, number])[]
}

const cache = new WeakMap<Tables['payments'], Counts>()

/** Payments by status, counted once for each table. */
function countByStatus({ payments }: Tables): Counts {
  const known = cache.get(payments)
  if (known !== undefined) return known
  const counts = new Map<PaymentStatus, number>()
  for (const { payment } of payments.values()) counts.set(payment.status, (counts.get(payment.status) ?? 0) + 1)
  const byStatus = PAYMENT_STATUSES.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [[status, count] as const]
  })
  const made = { total: payments.size, byStatus }
  cache.set(payments, made)
  return made
}
