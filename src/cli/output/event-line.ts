import type { EventView } from '../../client/control-types.ts'
import { formatMoney } from '../../domain/currency.ts'
import { sanitizeLine, truncateChars } from '../../terminal/sanitize.ts'
import { formatTimeOfDay } from '../../terminal/time-format.ts'
import type { Paint } from './colour.ts'

/** `12:00:01.123  payment.succeeded  evt_9f…  payment 3f2a…  1 500.00 RUB  order ord_1764…`. */
export function eventLine(event: EventView, paint: Paint): string {
  const [kind] = event.event.split('.')
  return [
    paint.dim(formatTimeOfDay(event.created_at)),
    paint.name(event.event),
    event.id,
    `${kind} ${event.object_id}`,
    ...objectText(event.event, event.data),
  ].join('  ')
}

interface Recognised {
  readonly amount?: unknown
  readonly currency?: unknown
  readonly order_id?: unknown
  readonly recipient?: { readonly phone?: unknown } | null
  readonly refunds?: unknown
}

/** Returns what identifies an event for a reader: its amount, and its order or recipient. */
export function objectText(event: string, data: EventView['data']): string[] {
  const { amount, currency, order_id, recipient, refunds } = data as Recognised
  return [
    ...moneyText(amount, currency, event === 'payment.refunded' ? refunds : undefined),
    ...(typeof order_id === 'string' ? [`order ${truncateChars(order_id, 100)}`] : []),
    ...(typeof recipient?.phone === 'string' ? [`to ${recipient.phone}`] : []),
  ].map(sanitizeLine)
}

/** `1 500.00 RUB`, or for a refund `refund 500.00 of 1 500.00 RUB`. The event is about the newest refund. */
function moneyText(amount: unknown, currency: unknown, refunds: unknown): string[] {
  if (typeof amount !== 'number' || typeof currency !== 'string') return []
  const money = formatMoney(amount, currency)
  const newest: unknown = Array.isArray(refunds) ? refunds.at(-1)?.amount : undefined
  if (typeof newest !== 'number') return [money]
  return [`refund ${formatMoney(newest, currency).replace(` ${currency}`, '')} of ${money}`]
}
