// Spec 2.4 and 3.3: the SBP payout, its states and transitions.

import type { WebhookEventName } from './events.ts'
import { type AllFields, type FormatOptions, shopFields, timeText } from './serialization.ts'
import type { Mode, Shop } from './shop.ts'
import type { StoredPlan } from './simulator-plan.ts'
import type { SandboxTime } from './time.ts'

export const PAYOUT_METHODS = ['payouts_sbp'] as const
export type PayoutMethod = (typeof PAYOUT_METHODS)[number]

export interface Recipient {
  readonly phone: string
  readonly bank_id: string
  readonly full_name?: string
}

/** A stored payout. `amount` is in minor units. */
export interface Payout {
  readonly id: string
  readonly merchant_id: string
  readonly shop_id: string
  readonly mode: Mode
  readonly amount: number
  readonly currency: string
  readonly method: PayoutMethod
  readonly status: PayoutStatus
  /** The unified failure code. Empty if the payout has not failed. */
  readonly fail_reason: string
  readonly recipient: Recipient
  readonly created_at: SandboxTime
  readonly completed_at?: SandboxTime | undefined
  readonly bank?: string
  readonly bank_ref?: string
  readonly plan: StoredPlan
}

/** A payout as the API shows it. An unset `completed_at` is absent, null or empty, depending on `empty_dates`. */
export interface PublicPayout {
  id: string
  merchant_id: string
  shop_id?: string
  terminal_id?: string
  amount: number
  currency: string
  method: PayoutMethod
  status: PayoutStatus
  fail_reason: string
  recipient: Recipient
  created_at: string
  completed_at?: string | null
}

export function presentPayout(payout: Payout, shop: Shop, format: FormatOptions): PublicPayout {
  const { shop_id, terminal_id } = shopFields(shop, format)
  const shown: AllFields<PublicPayout> = {
    id: payout.id,
    merchant_id: payout.merchant_id,
    shop_id,
    terminal_id,
    amount: payout.amount,
    currency: payout.currency,
    method: payout.method,
    status: payout.status,
    fail_reason: payout.fail_reason,
    recipient: payout.recipient,
    created_at: timeText(payout.created_at, format),
    completed_at: timeText(payout.completed_at, format),
  }
  return shown as PublicPayout
}

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

export const PAYOUT_TRANSITIONS = [
  { from: 'pending', on: 'bank_accepted', to: 'succeeded', when: 'the bank accepts it', webhook: 'payout.succeeded' },
  { from: 'pending', on: 'bank_rejected', to: 'failed', when: 'the bank rejects it', webhook: 'payout.failed' },
] as const satisfies readonly PayoutTransitionRow[]

export type PayoutTrigger = (typeof PAYOUT_TRANSITIONS)[number]['on']

export function payoutTransition(from: PayoutStatus, on: PayoutTrigger): PayoutTransitionRow | undefined {
  return PAYOUT_TRANSITIONS.find((row) => row.from === from && row.on === on)
}
