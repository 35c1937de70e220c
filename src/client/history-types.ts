// Parts of the history as a dashboard reads it: without large bodies, or about one object.
import type { AttemptView, DeliveryView } from './control-types.ts'

/** A scheduled step. `step` is the kind, such as `bank_answer`, `deliver` or `link_timeout`. */
export interface ScheduledStep {
  readonly due: string
  readonly step: string
  readonly object_id: string
}

/** A stored message of the control stream. `message` is the data of the message. */
export interface StoredMessage {
  readonly id: string
  readonly message: { readonly kind: string; readonly at: string }
}

/** A delivery in a list without the headers and bodies of its attempts. */
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
