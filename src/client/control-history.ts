// The control routes that show what happened, and send it again: objects, events, deliveries, the request log.
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import type { Caller } from './caller.ts'
import type {
  DeliveryView,
  EventView,
  ObjectFilter,
  Page,
  PageQuery,
  PlannedView,
  ReplayBody,
  RequestView,
} from './control-wire.ts'

export interface EventFilter extends PageQuery {
  readonly event?: string | undefined
  readonly object_id?: string | undefined
  readonly shop_id?: string | undefined
  /** RFC 3339, or a duration back from now. */
  readonly since?: string | undefined
}

export interface DeliveryFilter extends PageQuery {
  readonly event_id?: string | undefined
  readonly object_id?: string | undefined
  readonly shop_id?: string | undefined
  readonly endpoint_id?: string | undefined
  readonly status?: string | undefined
}

export interface HistoryOperations {
  readonly lists: {
    payments(filter?: ObjectFilter): Promise<Page<PublicPayment>>
    payouts(filter?: ObjectFilter): Promise<Page<PublicPayout & Partial<PlannedView>>>
    refunds(filter?: ObjectFilter): Promise<Page<PublicRefund>>
  }
  readonly events: {
    list(filter?: EventFilter): Promise<Page<EventView>>
    get(id: string): Promise<EventView>
    replay(id: string, body?: ReplayBody): Promise<{ items: readonly DeliveryView[] }>
  }
  readonly deliveries: {
    list(filter?: DeliveryFilter): Promise<Page<DeliveryView>>
    get(id: string): Promise<DeliveryView>
    retry(id: string): Promise<DeliveryView>
  }
  requests(filter?: PageQuery & { readonly [field: string]: string | number | undefined }): Promise<Page<RequestView>>
}

export function historyOperations(caller: Caller): HistoryOperations {
  const get = <T>(path: string, query?: object) =>
    caller.json<T>({ method: 'GET', path: `/_psp/${path}`, query: query as Record<string, string | undefined> })
  const id = encodeURIComponent
  return {
    lists: {
      payments: (filter) => get('payments', filter),
      payouts: (filter) => get('payouts', filter),
      refunds: (filter) => get('refunds', filter),
    },
    events: {
      list: (filter) => get('events', filter),
      get: (eventId) => get(`events/${id(eventId)}`),
      replay: (eventId, body = {}) => caller.json({ method: 'POST', path: `/_psp/events/${id(eventId)}/replay`, body }),
    },
    deliveries: {
      list: (filter) => get('deliveries', filter),
      get: (deliveryId) => get(`deliveries/${id(deliveryId)}`),
      retry: (deliveryId) => caller.json({ method: 'POST', path: `/_psp/deliveries/${id(deliveryId)}/retry` }),
    },
    requests: (filter) => get('requests', filter),
  }
}
