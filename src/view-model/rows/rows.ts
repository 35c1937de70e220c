// The rows that the view keeps, oldest first. Each kind is bounded, so that the view can stay open for days.
import type { DeliveryView } from '../../client/control-types.ts'
import type { RequestView } from '../../client/request-types.ts'
import type { PublicPayment } from '../../domain/payment.ts'
import type { PublicPayout } from '../../domain/payout.ts'
import type { ControlMessage, LastAttempt } from './stream-message.ts'

/** A payment as lists return it. The stream omits the plan. */
export type ListedPayment = PublicPayment & {
  readonly plan?: string
  readonly decided_by?: string
  readonly description?: string
  readonly mode?: string
}
export type ListedPayout = PublicPayout & {
  readonly plan?: string
  readonly decided_by?: string
  readonly mode?: string
}

/** A step in the timeline of an object. `at` is RFC 3339 on the sandbox's clock. */
export interface TimelineStep {
  readonly at: string
  readonly label: string
  readonly details?: string
  /** Distinguishes equal steps at the same time. */
  readonly messageId?: MessageId
}

/**
 * The id of a stream message. `lastMessageId` of a row is the newest message whose changes the row includes. The stream
 * starts with old messages, whose changes a list may already include. A message older than a row only adds to its
 * timeline.
 */
export type MessageId = number

export interface PaymentRow {
  readonly id: string
  readonly payment: ListedPayment
  /** The steps from the stream, including old messages that the server still keeps. */
  readonly steps: readonly TimelineStep[]
  readonly lastMessageId: MessageId
}

export interface PayoutRow {
  readonly id: string
  readonly payout: ListedPayout
  readonly steps: readonly TimelineStep[]
  readonly lastMessageId: MessageId
}

/** Returns the row of an object of which no stream message is known yet. */
export function newRow<O extends object>(object: O): O & Pick<PaymentRow, 'steps' | 'lastMessageId'> {
  return { ...object, steps: [], lastMessageId: 0 }
}

/** A delivery with its last attempt only. The headers and bodies are fetched for the selected delivery only. */
export interface DeliveryRow {
  readonly id: string
  readonly event: string
  readonly event_id: string
  readonly object_id: string
  readonly url: string
  /** The event and the URL. Only the newest delivery of a target counts for the state of the webhook. */
  readonly target: string
  /** True if a replay of the event created it. */
  readonly replay: boolean
  /** True if a replay sent an edited body. */
  readonly edited: boolean
  readonly status: DeliveryView['status']
  readonly next_attempt_at: string | undefined
  readonly attemptsMade: number
  readonly attemptsTotal: number | undefined
  readonly lastAttempt: LastAttempt | undefined
  readonly lastMessageId: MessageId
}

/** A delivery from a list or from the stream. `attempts_total` is the maximum number of attempts. */
interface DeliveryFields extends Pick<DeliveryRow, 'id' | 'event' | 'event_id' | 'object_id' | 'url' | 'status'> {
  readonly next_attempt_at?: string | null | undefined
  readonly replay?: true | undefined
  readonly edited?: true | undefined
  readonly attempts_made: number
  readonly attempts_total?: number
}

export function deliveryRow(
  {
    id,
    event,
    event_id,
    object_id,
    url,
    status,
    next_attempt_at,
    replay,
    edited,
    attempts_made,
    attempts_total,
  }: DeliveryFields,
  lastAttempt: LastAttempt | undefined,
  lastMessageId: MessageId,
): DeliveryRow {
  return {
    id,
    event,
    event_id,
    object_id,
    url,
    target: `${event_id} ${url}`,
    replay: replay === true,
    edited: edited === true,
    status,
    next_attempt_at: next_attempt_at ?? undefined,
    attemptsMade: attempts_made,
    attemptsTotal: attempts_total,
    lastAttempt,
    lastMessageId,
  }
}

export interface RequestRow {
  readonly id: string
  readonly request: RequestView
  readonly lastMessageId: MessageId
}

export interface MessageRow {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly summary: string
  readonly object_id: string | undefined
  readonly message: ControlMessage
}

export interface Tables {
  readonly payments: ReadonlyMap<string, PaymentRow>
  readonly payouts: ReadonlyMap<string, PayoutRow>
  readonly deliveries: ReadonlyMap<string, DeliveryRow>
  readonly requests: ReadonlyMap<string, RequestRow>
  readonly stream: ReadonlyMap<string, MessageRow>
}

export type PaneName = keyof Tables
export type RowOf<P extends PaneName> = Tables[P] extends ReadonlyMap<string, infer R> ? R : never
export type Row = PaymentRow | PayoutRow | DeliveryRow | RequestRow | MessageRow

export const PANES = ['payments', 'payouts', 'deliveries', 'requests', 'stream'] as const satisfies readonly PaneName[]

/** The oldest rows are removed first. */
export const ROW_LIMITS = {
  payments: 10_000,
  payouts: 2000,
  deliveries: 5000,
  requests: 1000,
  stream: 2000,
} as const satisfies Record<PaneName, number>

export const NO_ROWS: Tables = {
  payments: new Map<string, PaymentRow>(),
  payouts: new Map<string, PayoutRow>(),
  deliveries: new Map<string, DeliveryRow>(),
  requests: new Map<string, RequestRow>(),
  stream: new Map<string, MessageRow>(),
}

export function trimOldest<T>(rows: Map<string, T>, limit: number): Map<string, T> {
  for (const id of rows.keys()) {
    if (rows.size <= limit) break
    rows.delete(id)
  }
  return rows
}

/** Returns the order number of a payment, or of the payment of a delivery. */
export function orderNumberOf({ payments, deliveries }: Pick<Tables, 'payments' | 'deliveries'>, id: string) {
  return payments.get(deliveries.get(id)?.object_id ?? id)?.payment.order_id
}
