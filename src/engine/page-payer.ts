// The fields of the payer that the hosted page knows. The simulator generates the other fields.
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
