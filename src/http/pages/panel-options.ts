// The choices that the panel of the page offers.
import type { FaultTarget } from '../../domain/faults.ts'

/** Delays of the bank's response, in ms. */
export const BANK_DELAYS = [3_000, 10_000, 30_000, 120_000] as const

interface OrderFault {
  readonly target: FaultTarget
  readonly fault: string
  /** The `match` field that contains the payment's id for this target. */
  readonly paymentField: 'payment_id' | 'object_id'
}

/** The order in which webhook and buyer reach the shop, as faults at the end of the payment. */
export const ARRIVAL_ORDERS = {
  normal: [],
  webhook: [{ target: 'redirect', fault: 'delay:3s', paymentField: 'payment_id' }],
  redirect: [{ target: 'webhook', fault: 'delay:10s', paymentField: 'object_id' }],
  never: [{ target: 'redirect', fault: 'drop', paymentField: 'payment_id' }],
} as const satisfies { readonly [name: string]: readonly OrderFault[] }

export type ArrivalOrder = keyof typeof ARRIVAL_ORDERS
