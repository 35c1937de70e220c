// A story, as data: what happens to the payments of one order, and to an unrelated order that must not change.

/** `main` is the order of the story. `control` is an unrelated order. */
export const ORDER_NAMES = ['main', 'control'] as const
export type OrderName = (typeof ORDER_NAMES)[number]

/** One operation. Payments, refunds and payouts have short names, because their ids differ between two runs of a story. */
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

export interface Story {
  /** The amount of each order, in minor units. All payments of an order have its amount. */
  readonly amounts: { readonly [order in OrderName]: number }
  readonly steps: readonly StoryStep[]
}

/** Returns the name of the event that the step causes. It is the same in all runs of the story. */
export function eventKeyOf(step: StoryStep): string {
  if (step.do === 'payout') return `payout ${step.payout}`
  return step.do === 'refund' ? `refund ${step.refund}` : `${step.do} ${'payment' in step ? step.payment : step.refund}`
}

/** Returns whether the steps concern the unrelated order. */
export function hasControlOrder({ steps }: Story): boolean {
  return steps.some((step) => step.do === 'create' && step.order === 'control')
}
