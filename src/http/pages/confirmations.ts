// Card payments that wait for the buyer's confirmation (3-D Secure), with brand and mask but no card number. They are
// in memory only, so after a restart the page shows the card form again.
import type { PageMethod } from '../../domain/payment-methods.ts'
import { BoundedMap } from './bounded-map.ts'
import type { TypedCard } from './card-form.ts'

export interface PendingConfirmation extends Required<TypedCard> {
  readonly method: PageMethod
  /** The number of wrong one-time codes that the buyer can still enter. The last one declines the payment. */
  readonly attemptsLeft: number
  /** The bank's response to the last form. */
  readonly notice?: CodeNotice
  /** Increases with each form, so that other browser tabs show the notice too. */
  readonly round: number
}

/** `malformed`: not six digits, which does not count as an attempt. `resent`: the buyer requested a new code. */
export type CodeNotice = 'malformed' | 'wrong' | 'expired' | 'resent'

/** By payment id. */
export type Confirmations = Map<string, PendingConfirmation>

export const createConfirmations = (): Confirmations => new BoundedMap(10_000)
