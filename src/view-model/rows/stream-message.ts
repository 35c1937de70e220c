// The messages of the control stream (`GET /_psp/stream`), with the fields that the view reads.
import type { ClockView } from '../../client/clock-types.ts'
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import type { RequestView } from '../../client/request-types.ts'
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { PublicRefund } from '../../domain/refund.ts'
import type { LastAttempt } from './rows.ts'

interface StatusChange {
  readonly change: 'created' | 'status_changed' | 'updated'
  readonly status: string
  readonly previous_status?: string
}

export interface DeliverySummary extends Omit<DeliveryView, 'attempts'> {
  readonly attempts_made: number
  readonly attempts_total: number
}

export type StreamMessage = { readonly at: string } & (
  | ({ readonly kind: 'payment'; readonly payment: PublicPayment; readonly three_ds?: string } & StatusChange)
  | ({ readonly kind: 'refund'; readonly refund: PublicRefund } & StatusChange)
  | ({ readonly kind: 'payout'; readonly payout: PublicPayout } & StatusChange)
  | { readonly kind: 'event'; readonly event: EventView }
  | { readonly kind: 'delivery'; readonly delivery: DeliverySummary }
  | { readonly kind: 'attempt'; readonly delivery: DeliverySummary; readonly attempt?: LastAttempt }
  | { readonly kind: 'request'; readonly request: RequestView }
  | { readonly kind: 'clock'; readonly clock: Pick<ClockView, 'mode' | 'now' | 'speed'> }
  | { readonly kind: 'reset'; readonly command: string }
  | { readonly kind: 'gap' }
)

/** A message with its JSON text. */
export interface ParsedMessage {
  readonly id: string
  readonly data: string
  readonly message: StreamMessage
}

/** Returns `undefined` for an unknown kind, which a newer server may send. */
export function parseMessage(id: string | undefined, data: string): ParsedMessage | undefined {
  const message = JSON.parse(data) as StreamMessage
  return id !== undefined && KINDS.has(message.kind) ? { id, data, message } : undefined
}

const KINDS: ReadonlySet<string> = new Set<StreamMessage['kind']>([
  'payment',
  'refund',
  'payout',
  'event',
  'delivery',
  'attempt',
  'request',
  'clock',
  'reset',
  'gap',
])

/** Returns the id of the payment or payout that a message is about. */
export function objectIdOf(message: StreamMessage): string | undefined {
  switch (message.kind) {
    case 'payment':
      return message.payment.id
    case 'refund':
      return message.refund.payment_id
    case 'payout':
      return message.payout.id
    case 'event':
      return message.event.object_id
    case 'delivery':
    case 'attempt':
      return message.delivery.object_id
    default:
      return undefined
  }
}
