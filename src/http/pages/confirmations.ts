// Cards that wait for the buyer's word to the bank (3-D Secure): brand and mask, never a number. In memory, so a restart
// shows the card form again.
import type { PageMethod } from '../../domain/payment-methods.ts'
import type { TypedCard } from './card-form.ts'

export type WaitingCard = Required<TypedCard> & { readonly method: PageMethod }

export interface Confirmations {
  of(paymentId: string): WaitingCard | undefined
  ask(paymentId: string, card: WaitingCard): void
  end(paymentId: string): void
  clear(): void
}

const KEPT = 10_000

export function createConfirmations(): Confirmations {
  const waiting = new Map<string, WaitingCard>()
  return {
    of: (id) => waiting.get(id),
    ask(id, card) {
      waiting.delete(id)
      waiting.set(id, card)
      const [oldest] = waiting.keys()
      if (waiting.size > KEPT && oldest !== undefined) waiting.delete(oldest)
    },
    end: (id) => void waiting.delete(id),
    clear: () => waiting.clear(),
  }
}
