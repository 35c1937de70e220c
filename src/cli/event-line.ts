import type { EventView } from '../client/control-wire.ts'
import { formatMoney } from '../domain/currency.ts'
import { timeOfDay } from './clock-text.ts'
import type { Paint } from './colour.ts'
import { plainLine } from './plain-text.ts'

/** `12:00:01.123  payment.succeeded  evt_9f…  payment 3f2a…  1 500.00 RUB  order ord_1764…`. */
export function eventLine(event: EventView, paint: Paint): string {
  const [kind] = event.event.split('.')
  return [
    paint.dim(timeOfDay(event.created_at)),
    paint.name(event.event),
    event.id,
    `${kind} ${event.object_id}`,
    ...objectText(event.data),
  ].join('  ')
}

/** What people recognise an object by: its money and its order or recipient. */
export function objectText(data: EventView['data']): string[] {
  const { amount, currency, order_id, recipient } = data as {
    readonly amount?: unknown
    readonly currency?: unknown
    readonly order_id?: unknown
    readonly recipient?: { readonly phone?: unknown } | null
  }
  return [
    ...(typeof amount === 'number' && typeof currency === 'string' ? [formatMoney(amount, currency)] : []),
    ...(typeof order_id === 'string' ? [`order ${order_id}`] : []),
    ...(typeof recipient?.phone === 'string' ? [`to ${recipient.phone}`] : []),
  ].map(plainLine)
}
