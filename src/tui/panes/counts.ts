// How many payments there are of each status, in the words for which there is room.
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-states.ts'
import type { Part } from '../looks/line.ts'
import type { Marks } from '../looks/marks.ts'
import { statusLook, statusText } from '../looks/status.ts'
import type { Tables } from '../state/rows.ts'

/** The same counts, the wordiest first. Each of them names every status there is. */
export function countChoices(tables: Tables, marks: Marks): readonly (readonly Part[])[] {
  const { total, byStatus } = countsOf(tables)
  const payments = `${total} ${total === 1 ? 'payment' : 'payments'}`
  const said = (whole: string, gap: string, text: (status: PaymentStatus, count: number) => string) => [
    [whole, 'bold'] satisfies Part,
    ...byStatus.flatMap(([status, count]): Part[] => [gap, [text(status, count), statusLook(status)]]),
  ]
  return [
    said(payments, '   ', (status, count) => `${statusText(status, marks)} ${count}`),
    said(payments, '  ', (status, count) => `${status} ${count}`),
    said(payments, '  ', (status, count) => `${SHORT[status]} ${count}`),
    said(String(total), '  ', (status, count) => `${SHORT[status]} ${count}`),
    said(String(total), ' ', (status, count) => `${status.slice(0, 2)}${count}`),
  ]
}

const SHORT = {
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

const kept = new WeakMap<Tables['payments'], Counts>()

/** Payments by status, counted once for each table. */
function countsOf({ payments }: Tables): Counts {
  const known = kept.get(payments)
  if (known !== undefined) return known
  const counts = new Map<PaymentStatus, number>()
  for (const { payment } of payments.values()) counts.set(payment.status, (counts.get(payment.status) ?? 0) + 1)
  const byStatus = PAYMENT_STATUSES.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [[status, count] as const]
  })
  const made = { total: payments.size, byStatus }
  kept.set(payments, made)
  return made
}
