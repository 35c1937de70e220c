// A story, as data: what happens to the payments of one order, and to an unrelated order that must not change.

/** `main` is the order of the story. `unrelated` is another order, which must not change. */
export const ORDER_NAMES = ['main', 'unrelated'] as const
export type OrderName = (typeof ORDER_NAMES)[number]

/** One operation. Payments, refunds and payouts have names, because their ids differ between two runs of a story. */
export type StoryStep =
  | { readonly do: 'create'; readonly payment: string; readonly order: OrderName }
  | { readonly do: 'pay' | 'decline' | 'expire' | 'cancel'; readonly payment: string }
  | {
      readonly do: 'refund'
      readonly payment: string
      readonly refund: string
      /** Percentage of the payment. 0 requests the whole remainder. */
      readonly percent: number
      readonly result: 'succeeded' | 'failed' | 'pending'
    }
  | { readonly do: 'settle'; readonly refund: string; readonly result: 'succeeded' | 'failed' }
  | { readonly do: 'payout'; readonly payout: string; readonly result: 'succeeded' | 'failed' }

/** Returns a function that returns the next name of a kind: `p1`, `p2`, `r1`. */
export function createNames(): (kind: string) => string {
  const counts = new Map<string, number>()
  return (kind) => {
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    return `${kind}${number}`
  }
}

/** The recipient of every payout of a story. */
export const RECIPIENT = { phone: '+79160000000', bank_id: '100000000111' } as const

/** Returns the amount of a refund in minor units. 0 requests the whole remainder. */
export function refundAmount(percent: number, whole: number): number {
  return percent === 0 ? 0 : Math.max(1, Math.floor((whole * percent) / 100))
}

export interface Story {
  /** The amount of each order, in minor units. All payments of an order have its amount. */
  readonly amounts: { readonly [order in OrderName]: number }
  readonly steps: readonly StoryStep[]
}

/** Returns the key of a step, and of its event if it sends one. The key is the same in all runs of the story. */
export function eventKeyOf(step: StoryStep): string {
  const object = 'payout' in step ? step.payout : 'refund' in step ? step.refund : step.payment
  return `${step.do} ${object}`
}

export function hasUnrelatedOrder({ steps }: Story): boolean {
  return steps.some((step) => step.do === 'create' && step.order === 'unrelated')
}
