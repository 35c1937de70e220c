// Who pays, as far as the hosted page knows; the simulator makes up the rest.
import type { Plan } from '../domain/simulator-plan.ts'

export interface PagePayer {
  readonly card?: PageCard
  /** Name of the bank that was picked for SBP. */
  readonly bank?: string
}

/** What the page tells of a card; the number itself never comes this far. */
export interface PageCard {
  readonly brand: string
  readonly mask: string
  readonly holder?: string
  /** The plan of a magic card; it stands behind rules, header and metadata. */
  readonly plan?: Plan
}
