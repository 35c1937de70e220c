// The payer as far as the hosted page knows; the simulator generates the rest.
import type { Plan } from '../domain/simulator-plan.ts'

export interface PagePayer {
  readonly card?: PageCard
  /** The name of the bank chosen for SBP. */
  readonly bank?: string
}

/** The card as the page reports it, without its number. */
export interface PageCard {
  readonly brand: string
  readonly mask: string
  readonly holder?: string
  /** The plan of a magic card. Rules, header and metadata have priority over it. */
  readonly plan?: Plan
}
