import { formatMoney } from '../../../domain/currency.ts'
import { sanitizeLine, truncateChars } from '../../../terminal/sanitize.ts'
import { formatTimeOfDay } from '../../../terminal/time-format.ts'
import type { Paint } from '../../output/colour.ts'
import { paintStatus } from '../../output/status-color.ts'

/** The data of a public stream message (spec 6.2). A real service may send less. */
export interface StreamData {
  readonly kind: string
  readonly at: string
  readonly payload: {
    readonly id?: string
    readonly status?: string
    readonly previous_status?: string
    readonly amount?: number
    readonly currency?: string
    readonly order_id?: string
    readonly payment_id?: string
  }
}

/** `12:00:01.123  payment.status_changed  3f2a…  pending -> processing  1 500.00 RUB  order ord_1764…`. */
export function streamLine({ kind, at, payload }: StreamData, paint: Paint): string {
  const { id, status, previous_status, amount, currency, order_id, payment_id } = payload
  const to = status === undefined ? '' : paintStatus(paint, sanitizeLine(status))
  const parts = [
    paint.dim(formatTimeOfDay(at)),
    paint.name(sanitizeLine(kind)),
    sanitizeLine(id ?? ''),
    previous_status === undefined ? to : `${sanitizeLine(previous_status)} -> ${to}`,
    amount !== undefined ? sanitizeLine(formatMoney(amount, currency ?? '')) : '',
    order_id !== undefined ? `order ${truncateChars(sanitizeLine(order_id), 100)}` : '',
    payment_id !== undefined ? `payment ${sanitizeLine(payment_id)}` : '',
  ]
  return parts.filter((part) => part !== '').join('  ')
}
