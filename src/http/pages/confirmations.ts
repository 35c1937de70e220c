// Card payments that wait for the buyer's confirmation (3-D Secure), with brand and mask but no card number. They are in
// memory only, so after a restart the page shows the card form again.
import type { PageMethod } from '../../domain/payment-methods.ts'
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

export interface Confirmations {
  get(paymentId: string): PendingConfirmation | undefined
  add(paymentId: string, card: PendingConfirmation): void
  remove(paymentId: string): void
  clear(): void
}

const MAX_PENDING = 10_000

export function createConfirmations(): Confirmations {
  const waiting = new Map<string, PendingConfirmation>()
  return {
    get: (id) => waiting.get(id),
    add(id, card) {
      waiting.delete(id)
      waiting.set(id, card)
      const [oldest] = waiting.keys()
      if (waiting.size > MAX_PENDING && oldest !== undefined) waiting.delete(oldest)
    },
    remove: (id) => void waiting.delete(id),
    clear: () => waiting.clear(),
  }
}
