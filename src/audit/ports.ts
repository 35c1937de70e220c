// The interfaces that an audit needs: sending messages and reading probes.
import type { Message } from './check.ts'
import type { Subject } from './effect.ts'
import type { Page } from './page.ts'

export interface HandlerResponse {
  /** Omitted if there was no response. */
  readonly status?: number
  /** Why there is no complete response, as a message. */
  readonly error?: string
  /** A code such as `ECONNREFUSED`. */
  readonly code?: string
  /** The time from the last piece of the request to the response. */
  readonly ms: number
  /** The beginning of the response body, as text. */
  readonly text: string
  /** The page that a buyer got, without the placeholders of its ids. */
  readonly page?: Omit<Page, 'sentIds'>
  /** True for the visit of a buyer, whose response is not that of the webhook handler. */
  readonly isVisit?: true
}

/** Sends one POST request. Follows no redirects and never rejects. */
export type Send = (message: Message) => Promise<HandlerResponse>

/** One reading of the merchant's value. */
export interface Reading {
  /** Empty if the order does not exist yet. */
  readonly text: string
  /** Why `text` is empty: `responded 404 at http://…`. */
  readonly note?: string
}

/** Reads the merchant's value. */
export interface Probe {
  /** The probe as given on the command line. Findings use it as a name. */
  readonly label: string
  /** The probe asks for one order or payment, not for the whole shop. */
  readonly isPerOrder: boolean
  /**
   * Reads the current value once.
   * @throws ProbeError
   */
  once(about: Subject): Promise<Reading>
  /**
   * Reads the current value, and finds fields that change by themselves.
   * @throws ProbeError
   */
  value(about: Subject): Promise<Reading>
  /**
   * Reads the value after it has settled.
   * @param settleTime the time for which the value must stay the same, in ms, if it is longer than usual
   * @throws ProbeError
   */
  settled(about: Subject, settleTime?: number): Promise<Reading>
  /** Waits for a late effect of the first event, and makes `settled` wait as long. Returns `undefined` if there is none. */
  awaitEffect(about: Subject, before: Reading): Promise<Reading | undefined>
  /** Makes `settled` wait longer, to confirm that a wrong value is not only a late one. */
  setSlow(isSlow: boolean): void
  /** Returns general paths of fields that changed although nothing was sent. Comparisons ignore them. */
  volatile(): ReadonlySet<string>
}

/** The probe could not read the value, for a reason that is not the handler's. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
  readonly hint: string
  /** The probe asks the handler's server, and nothing listens there. */
  readonly isOfTarget: boolean
  constructor(message: string, hint: string, isOfTarget = false) {
    super(message)
    this.hint = hint
    this.isOfTarget = isOfTarget
  }
}

/** Nothing listens at the target. */
export class TargetUnreachableError extends Error {
  override readonly name = 'TargetUnreachableError'
}
