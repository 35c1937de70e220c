// The messages of the control stream (`GET /_psp/stream`), with the fields that the view reads.
import type { ClockView } from '../../client/clock-types.ts'
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import type { StoredMessage } from '../../client/history-types.ts'
import type { RequestView } from '../../client/request-types.ts'
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { PublicRefund } from '../../domain/refund.ts'

interface StatusChange {
  readonly change: 'created' | 'status_changed' | 'updated'
  readonly status: string
  readonly previous_status?: string
}

export interface DeliverySummary extends Omit<DeliveryView, 'attempts'> {
  readonly attempts_made: number
  readonly attempts_total: number
}

export interface LastAttempt {
  readonly at: string
  readonly ms: number
  readonly status?: number | null | undefined
  readonly error?: string | null | undefined
}

export type ControlMessage = { readonly at: string } & (
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

export interface ParsedMessage {
  readonly id: string
  readonly message: ControlMessage
}

/** Several messages that the server sent as one. */
interface BatchMessage {
  readonly kind: 'batch'
  readonly items: readonly StoredMessage[]
}

export function parseMessages(id: string | undefined, data: string): readonly ParsedMessage[] {
  const message = JSON.parse(data) as ControlMessage | BatchMessage
  if (message.kind === 'batch') return knownMessages(message.items)
  return id === undefined ? [] : knownMessages([{ id, message }])
}

/** Leaves out messages of unknown kinds, which a newer server may send. */
export function knownMessages(messages: readonly StoredMessage[]): readonly ParsedMessage[] {
  return (messages as readonly ParsedMessage[]).filter(({ message }) => KINDS.has(message.kind))
}

const KINDS: ReadonlySet<string> = new Set<ControlMessage['kind']>([
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
export function objectIdOf(message: ControlMessage): string | undefined {
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
