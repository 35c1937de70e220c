// What the panel of the page can do, as data.
import type { FaultTarget } from '../../domain/faults.ts'

/** Delays of the bank's answer that can be picked, ms. */
export const BANK_DELAYS = [3_000, 10_000, 30_000, 120_000] as const

interface OrderFault {
  readonly target: FaultTarget
  readonly fault: string
  /** The fact that names the payment for this target. */
  readonly paymentField: 'payment_id' | 'object_id'
}

/** In which order webhook and buyer reach the shop: faults of this payment's end. */
export const ARRIVAL_ORDERS = {
  normal: [],
  webhook: [{ target: 'redirect', fault: 'delay:3s', paymentField: 'payment_id' }],
  redirect: [{ target: 'webhook', fault: 'delay:10s', paymentField: 'object_id' }],
  never: [{ target: 'redirect', fault: 'drop', paymentField: 'payment_id' }],
} as const satisfies { readonly [name: string]: readonly OrderFault[] }

export type ArrivalOrder = keyof typeof ARRIVAL_ORDERS
