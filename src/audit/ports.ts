// What an audit asks of the world.
import type { Message } from './check.ts'
import type { Subject } from './effect.ts'
import type { Page } from './page.ts'

export interface Answer {
  /** Absent when no answer came. */
  readonly status?: number
  /** Why there is no whole answer, in words. */
  readonly error?: string
  /** `ECONNREFUSED` and the like. */
  readonly code?: string
  readonly ms: number
  /** The first bytes of the answer's body, as text. */
  readonly text: string
  /** The page that a buyer got; without the names that its ids stand for. */
  readonly page?: Omit<Page, 'names'>
  /** True for the visit of a buyer, whose response is not that of the webhook handler. */
  readonly isVisit?: true
}

/** POSTs once, follows no redirect, never rejects. */
export type Send = (message: Message) => Promise<Answer>

/** One look at the merchant's own value. */
export interface Reading {
  /** Nothing, where there is no such order yet. */
  readonly text: string
  /** Why `text` says nothing: `answered 404 at http://…`. */
  readonly said?: string
}

/** The merchant's own value. */
export interface Probe {
  /** As it was given: what findings call it. */
  readonly label: string
  /** It asks for one order or payment, not for the whole shop. */
  readonly own: boolean
  /** As it is now. @throws ProbeError */
  value(about: Subject): Promise<Reading>
  /** Once it is at rest. @throws ProbeError */
  settled(about: Subject): Promise<Reading>
  /** General paths of what was seen to move though nothing was sent: it never counts as rest or as an effect. */
  restless(): ReadonlySet<string>
}

/** The value cannot be had: a fault of the probe, not of the handler. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
  readonly hint: string
  /** It asks the handler's own server, where nobody listens. */
  readonly isOfTarget: boolean
  constructor(message: string, hint: string, isOfTarget = false) {
    super(message)
    this.hint = hint
    this.isOfTarget = isOfTarget
  }
}

/** Nobody listens at the target. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable'
}
