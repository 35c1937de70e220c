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
  /** The time from the last piece of the request to the response, in ms. */
  readonly ms: number
  /** The beginning of the response body, as text. */
  readonly text: string
  /** The page that a buyer got. The caller adds `sentIds`. */
  readonly page?: Omit<Page, 'sentIds'>
  /** True for the visit of a buyer, whose response is not that of the webhook handler. */
  readonly isVisit?: true
}

/** Sends a webhook without following redirects, or requests a page as a buyer's browser does. Never rejects. */
export type Send = (message: Message) => Promise<HandlerResponse>

/** One reading of a probe: a value of the merchant's shop, such as a balance or the state of an order. */
export interface Reading {
  /** Empty if the order does not exist yet. */
  readonly text: string
  /** Why `text` is empty: `responded 404 at http://…`. */
  readonly note?: string
}

/** Reads a value of the merchant's shop. */
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
   * Reads the current value twice, adds the fields that differ to those of `volatile`, and returns the second reading.
   * @throws ProbeError
   */
  learnVolatile(about: Subject): Promise<Reading>
  /**
   * Reads the value after it has settled.
   * @param settleTime how long the value must stay the same at least, in ms. A longer usual time applies.
   * @throws ProbeError
   */
  settled(about: Subject, settleTime?: number): Promise<Reading>
  /**
   * Waits for a late effect of the first event. Later calls of `settled` then wait for at least as long. Returns
   * `undefined` if there is no effect. After the first call it returns `undefined` at once, until `setLongWait(true)`.
   */
  awaitEffect(about: Subject, before: Reading): Promise<Reading | undefined>
  /** Makes `settled` wait longer, to confirm that a value is wrong and not only late. */
  setLongWait(waitsLong: boolean): void
  /**
   * Returns the fields that changed although nothing was sent, as paths with `{}` for each placeholder (`generalPath`).
   * Comparisons ignore them.
   */
  volatile(): ReadonlySet<string>
}

/** The probe could not read the value. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
  readonly hint: string
  /** The probe reads from the handler's server, and nothing listens there. */
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
