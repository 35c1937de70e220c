// The control routes of the history: objects, events, deliveries and the request log.
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { pathSegment, requireObject } from './call-arguments.ts'
import { controlCalls } from './control-calls.ts'
import type {
  DeliveryView,
  EventView,
  ObjectFilter,
  Page,
  PageQuery,
  PlannedView,
  ReplayBody,
} from './control-types.ts'
import type {
  DiagnosisView,
  ImportEventsBody,
  ImportedEventView,
  ImportResult,
  ListedDelivery,
  StoredMessage,
} from './history-types.ts'
import { type HttpClient, LIST, type ResponseShape } from './http-client.ts'
import type { RequestView } from './request-types.ts'

export interface EventFilter extends PageQuery {
  readonly event?: string | undefined
  readonly object_id?: string | undefined
  readonly shop_id?: string | undefined
  /** RFC 3339, or a duration before now. */
  readonly since?: string | undefined
}

export interface DeliveryFilter extends PageQuery {
  readonly event_id?: string | undefined
  readonly object_id?: string | undefined
  readonly shop_id?: string | undefined
  readonly endpoint_id?: string | undefined
  readonly status?: string | undefined
}

export interface ImportedEventFilter extends PageQuery {
  readonly event_id?: string | undefined
  readonly object_id?: string | undefined
  readonly order_id?: string | undefined
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
  /** Events that were imported from recordings. They are separate from the events of the sandbox. */
  readonly importedEvents: {
    list(filter?: ImportedEventFilter): Promise<Page<ImportedEventView>>
    get(id: string): Promise<ImportedEventView>
    import(body: ImportEventsBody): Promise<ImportResult>
    clear(): Promise<void>
  }
  readonly deliveries: {
    list(filter?: DeliveryFilter): Promise<Page<DeliveryView>>
    /** Like `list`, but each delivery has its last attempt only, without headers and bodies. */
    summaries(filter?: DeliveryFilter): Promise<Page<ListedDelivery>>
    get(id: string): Promise<DeliveryView>
    /** @param attempt the number of the attempt; default: the last one */
    diagnosis(id: string, attempt?: number, lang?: 'en' | 'ru'): Promise<DiagnosisView>
    retry(id: string): Promise<DeliveryView>
  }
  /** Returns the stored messages of the control stream about a payment or payout, the oldest first. */
  messages(objectId: string): Promise<{ items: readonly StoredMessage[] }>
  requests(filter?: PageQuery & { readonly [field: string]: string | number | undefined }): Promise<Page<RequestView>>
}

const DELIVERY = { id: 'string', attempts: 'list' } as const satisfies ResponseShape

export function historyOperations(http: HttpClient): HistoryOperations {
  const { get, list, post, remove } = controlCalls(http)
  const id = pathSegment
  return {
    lists: {
      payments: (filter) => list('payments', filter),
      payouts: (filter) => list('payouts', filter),
      refunds: (filter) => list('refunds', filter),
    },
    events: {
      list: (filter) => list('events', filter),
      get: (eventId) => get(`events/${id(eventId)}`, { id: 'string', event: 'string' }),
      replay: (eventId, body = {}) =>
        post(
          `events/${id(eventId)}/replay`,
          requireObject('events.replay', body, "an object after the id, such as { url: 'http://localhost:3000' }"),
          LIST,
        ),
    },
    importedEvents: {
      list: (filter) => list('imported-events', filter),
      get: (eventId) => get(`imported-events/${id(eventId)}`, { id: 'string', body: 'string' }),
      import: (body) =>
        post('imported-events', requireObject('importedEvents.import', body, 'an object with a list of events')),
      clear: () => remove('imported-events'),
    },
    deliveries: {
      list: (filter) => list('deliveries', filter),
      summaries: (filter) => list('deliveries', { ...filter, fields: 'summary' } as DeliveryFilter, 'deliveries'),
      get: (deliveryId) => get(`deliveries/${id(deliveryId)}`, DELIVERY),
      diagnosis: (deliveryId, attempt, lang) =>
        http.json({
          method: 'GET',
          path: `/_psp/deliveries/${id(deliveryId)}/diagnosis`,
          query: { attempt, lang },
          responseShape: { signature: 'string', message: 'string' },
        }),
      retry: (deliveryId) => post(`deliveries/${id(deliveryId)}/retry`, undefined, DELIVERY),
    },
    messages: (objectId) =>
      http.json({ method: 'GET', path: '/_psp/messages', query: { object_id: objectId }, responseShape: LIST }),
    requests: (filter) => list('requests', filter),
  }
}
