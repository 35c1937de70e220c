// Everything the views draw from. They decide nothing.
import type { html } from 'hono/html'
import type { Fault } from '../../../domain/faults.ts'
import type { Payment } from '../../../domain/payment.ts'
import type { CardErrors } from '../card-form.ts'
import type { Localizer } from '../localizer.ts'
import type { Step } from '../page-step.ts'
import type { ArrivalOrder } from '../panel-options.ts'

export type Html = ReturnType<typeof html>

/** What this tab looks at besides the payment itself: it comes from the query and changes nothing. */
export interface ViewQuery {
  /** The simulated app of the buyer's bank is open. */
  readonly app: boolean
  /** `member_id` of the bank that was picked for it. */
  readonly bank?: string | undefined
  /** Text of the bank search. */
  readonly search?: string | undefined
  /** Which test card to fill in. */
  readonly test_card?: number | undefined
  /** The sandbox's panel is open. */
  readonly panel: boolean
  /** No way back to the shop by itself. */
  readonly stay: boolean
  /** A fault has kept the buyer from going back. */
  readonly dropped: boolean
}

export interface Clock {
  readonly now: number
  /** ms of the sandbox per ms; 0 while it is frozen. */
  readonly speed: number
}

export interface PageView {
  readonly localizer: Localizer
  /** Folder of the files the page names, from here. */
  readonly assets: string
  readonly payment: Payment
  readonly shop: string
  readonly step: Step
  readonly version: string
  readonly query: ViewQuery
  readonly clock: Clock
  readonly deadline: number | undefined
  /** ms until the buyer goes back to the shop; absent: stays. */
  readonly returns_after: number | undefined
  /** The public address of the page, for the QR code and the link. */
  readonly url: string
  readonly token: string
  /** `220000******0011` while the bank waits for the buyer's word. */
  readonly confirming: string | undefined
  readonly errors: CardErrors | undefined
  /** Faults that may still meet this payment's webhooks and return. */
  readonly faults: readonly Fault[]
  /** What the panel has set for them. */
  readonly order: ArrivalOrder
  /** A link to a part of this page (`pay`, `return`, or `''` for itself) that keeps the language. */
  href(part: string, query?: { readonly [name: string]: string | number | undefined }): string
}
