// The state of an order in the test shop.
import type { EventView } from '../../client/control-types.ts'
import type { MessageKey } from '../text/messages.ts'

/** Returns the text for an order after its newest event. A partial or failed refund leaves the order paid. */
export function orderStateText(newest: Pick<EventView, 'event' | 'data'> | undefined): MessageKey {
  switch (newest?.event) {
    case undefined:
      return 'order_waiting'
    case 'payment.succeeded':
      return 'order_paid'
    case 'payment.refunded':
      return newest.data['status'] === 'refunded' ? 'order_refunded' : 'order_paid'
    default:
      return 'order_unpaid'
  }
}
