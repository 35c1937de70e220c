// Spec 2.4: the SBP payout.
import type { PayoutStatus } from './payout-states.ts'
import { type FormatOptions, shopFields, writeTime } from './serialization.ts'
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
  readonly completed_at?: SandboxTime
  readonly bank?: string
  readonly bank_ref?: string
  readonly plan: StoredPlan
}

/** A payout as the API, webhooks and commands show it. Fields without a value are absent. */
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

/** Formats a payout according to the settings. */
export function presentPayout(payout: Payout, shop: Shop, format: FormatOptions): PublicPayout {
  const { shop_name, terminal_name, ...ids } = shopFields(shop, format)
  const shown: Partial<PublicPayout> = {
    id: payout.id,
    merchant_id: payout.merchant_id,
    ...ids,
    amount: payout.amount,
    currency: payout.currency,
    method: payout.method,
    status: payout.status,
    fail_reason: payout.fail_reason,
    recipient: payout.recipient,
  }
  writeTime(shown, 'created_at', payout.created_at, format)
  writeTime(shown, 'completed_at', payout.completed_at, format)
  return shown as PublicPayout
}
