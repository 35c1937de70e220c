// Spec 3.3: the states of a payout and its transitions.
import type { WebhookEventName } from './events.ts'

export const PAYOUT_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

interface PayoutTransitionRow {
  from: PayoutStatus
  on: string
  to: PayoutStatus
  /** A description for the documents. */
  when: string
  webhook: WebhookEventName
}

/** All transitions. */
export const PAYOUT_TRANSITIONS = [
  { from: 'pending', on: 'bank_accepted', to: 'succeeded', when: 'the bank accepts it', webhook: 'payout.succeeded' },
  { from: 'pending', on: 'bank_rejected', to: 'failed', when: 'the bank rejects it', webhook: 'payout.failed' },
] as const satisfies readonly PayoutTransitionRow[]

export type PayoutTrigger = (typeof PAYOUT_TRANSITIONS)[number]['on']

export function payoutTransition(from: PayoutStatus, on: PayoutTrigger): PayoutTransitionRow | undefined {
  return PAYOUT_TRANSITIONS.find((row) => row.from === from && row.on === on)
}
