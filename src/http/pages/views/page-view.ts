// The data that the views render. The views make no decisions.
import type { html } from 'hono/html'
import type { Fault } from '../../../domain/faults.ts'
import type { Payment } from '../../../domain/payment.ts'
import type { PageMethod, PaymentMethod } from '../../../domain/payment-methods.ts'
import type { CardErrors } from '../card-form.ts'
import type { PendingConfirmation } from '../confirmations.ts'
import type { Localizer } from '../localizer.ts'
import type { Step } from '../page-step.ts'
import type { ArrivalOrder } from '../panel-faults.ts'
import type { HistoryEntry } from '../payment-history.ts'

export type Html = ReturnType<typeof html>

/** The view of this browser tab, from the query of its URL. It changes nothing in the payment. */
export interface ViewQuery {
  /** The method that this browser tab shows. It becomes the payment's method when the buyer pays or declines. */
  readonly method?: PageMethod | undefined
  /** Whether the simulated app of the buyer's bank is open. */
  readonly app: boolean
  /** `member_id` of the selected bank. */
  readonly bank?: string | undefined
  /** Text of the bank search. */
  readonly search?: string | undefined
  /** Index of the test card to fill in. */
  readonly test_card?: number | undefined
  /** The one-time code to fill in. */
  readonly code?: string | undefined
  /** Whether the sandbox's panel is open. */
  readonly panel: boolean
  /** Whether the page stays open instead of returning to the shop. */
  readonly stay: boolean
  /** Whether a fault dropped the buyer's return. */
  readonly dropped: boolean
}

export interface Clock {
  readonly now: number
  /** ms of sandbox time per ms; 0 if the clock is frozen. */
  readonly speed: number
}

export interface PageView {
  readonly localizer: Localizer
  /** Relative base path of the page's assets. */
  readonly assets: string
  readonly payment: Payment
  /** The payment's method. While it is `any`, the method that this browser tab shows. */
  readonly method: PaymentMethod
  readonly shop: string
  readonly step: Step
  readonly version: string
  readonly query: ViewQuery
  readonly clock: Clock
  readonly deadline: number | undefined
  /** ms until the buyer returns to the shop. Absent: the page stays open. */
  readonly returns_after: number | undefined
  /** The public URL of the page, for the QR code and the link. */
  readonly url: string
  /** The hidden field of each form of this page. A form without it is rejected. */
  readonly formToken: string
  /** The card while the buyer has to confirm the payment (3-D Secure). */
  readonly confirming: PendingConfirmation | undefined
  readonly errors: CardErrors | undefined
  /** Faults that may still apply to this payment's webhooks and return. */
  readonly faults: readonly Fault[]
  /** The order of webhook and return that is set on the panel. */
  readonly arrivalOrder: ArrivalOrder
  readonly history: readonly HistoryEntry[]
  /** Changes with the history, so that the script renders the panel again. */
  readonly historyVersion: string
  /** Returns a link to a part of this page (`pay`, `return`, or `''` for the page) that keeps the language. */
  href(part: string, query?: { readonly [name: string]: string | number | undefined }): string
}
