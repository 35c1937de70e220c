// The history: summaries of deliveries, stored messages, diagnoses, and events of recordings.
import type { ImportedEvent } from '../domain/imported-event.ts'
import type { AttemptView, DeliveryView } from './control-types.ts'

/** A message of `GET /_psp/stream` that the server still stores: `id` is its SSE id, and `message` is its JSON. */
export interface StoredMessage {
  readonly id: string
  readonly message: { readonly kind: string; readonly at: string }
}

/** A delivery with its last attempt only, without headers and bodies (`fields=summary`). */
export interface ListedDelivery extends Omit<DeliveryView, 'attempts'> {
  readonly attempts_made: number
  readonly attempts_total: number
  readonly last_attempt: Omit<AttemptView, 'request' | 'response' | 'copies'> | null
}

/** The signature of an attempt as it was sent, and what the receiver may do wrong. */
export interface DiagnosisView {
  readonly attempt: number
  readonly signature: 'valid' | 'invalid'
  readonly cause: string | null
  readonly message: string
  /** `null`: the receiver responded 2xx, or the error contains no advice, as with the fault `drop`. */
  readonly advice: string | null
}

/** An event of a recording. Times are RFC 3339. */
export interface ImportedEventView
  extends Pick<ImportedEvent, 'id' | 'event_id' | 'event' | 'source' | 'signature' | 'body'> {
  readonly object_id: string | null
  readonly order_id: string | null
  /** The time in the recording. */
  readonly received_at: string
  readonly imported_at: string
  /** Why the signature is invalid, as `psp verify` names it. */
  readonly cause: string | null
}

/** An event to import. The server reads the ids from the body. */
export interface EventToImport extends Pick<ImportedEvent, 'id' | 'source' | 'signature' | 'cause' | 'body'> {
  readonly received_at: string
}

export interface ImportEventsBody {
  readonly events: readonly EventToImport[]
  /** Removes the events of earlier imports. */
  readonly replace?: boolean | undefined
}

export interface ImportResult {
  readonly imported: number
  /** Number of events that had already been imported. */
  readonly known: number
  readonly total: number
}
