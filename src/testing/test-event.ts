// An event as a test sees it, and how a test selects one.
import type { Client } from '../client/client.ts'
import type { DeliveryView } from '../client/control-types.ts'
import { paginate } from '../client/paginate.ts'
import { fieldPairs, matchesEvent } from '../domain/event-match.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'

/** An event as `waitFor` returns it. */
export interface TestEvent<Name extends WebhookEventName = WebhookEventName> {
  readonly id: string
  readonly event: Name
  /** The time on the sandbox's clock, RFC 3339. */
  readonly created_at: string
  readonly shop_id: string
  /** The payment (also for a refund) or payout that the event is about. */
  readonly object_id: string
  /** The whole object at the time of the event. */
  readonly data: Name extends `payout.${string}` ? PublicPayout : PublicPayment
}

type FieldValue = string | number | boolean

/** The fields of the object and of the event. */
type Field<Name extends WebhookEventName> = Name extends WebhookEventName
  ? keyof TestEvent<Name>['data'] | Exclude<keyof TestEvent<Name>, 'data'>
  : never

/**
 * The fields that an event or its object must have, or a function that selects events. A dot separates nested fields:
 * `{ order_id: 'A-1', 'metadata.cart': 7 }`.
 */
export type Where<Name extends WebhookEventName = WebhookEventName> =
  | ({ readonly [F in Field<Name>]?: FieldValue } & { readonly [path: `${string}.${string}`]: FieldValue })
  | ((event: TestEvent<Name>) => boolean)

/** Returns every delivery of the event, including replays. */
export async function deliveriesOf(client: Client, { id }: { readonly id: string }): Promise<readonly DeliveryView[]> {
  return await paginate(client.control.deliveries.list, { event_id: id })
}

export function matchesWhere<Name extends WebhookEventName>(event: TestEvent<Name>, where: Where<Name>): boolean {
  if (typeof where === 'function') return where(event)
  return matchesEvent(event, fieldPairs(where))
}
