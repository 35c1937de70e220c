// A check of a webhook handler, as data: the messages to send, and what a correct handler does with them.
import type { HeaderList } from '../domain/delivery.ts'
import type { Effect, Judgement, Subject } from './effect.ts'
import type { Page } from './page.ts'

export interface Message {
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The number of pieces in which the body is sent, with pauses between them. */
  readonly pieces?: number
  /** The connection is closed after this time, in ms, whether or not there was a response. */
  readonly abandonAfter?: number
  /** The address of a page that a buyer's browser requests, instead of a webhook. */
  readonly visit?: string
}

/** Messages that are sent at the same time. */
export interface Step {
  readonly about: Subject
  readonly messages: readonly Message[]
}

/** The values that the messages of one run are made of. The same values produce the same bytes. */
export interface MessageValues {
  /** The whole secret, with its prefix `whs_`. */
  readonly secret: string
  /** The system time, in ms since the Unix epoch. */
  readonly now: number
  readonly random: { uuid(): string; token(length: number): string }
  /** The amount of the sample payments, in minor units. */
  readonly amount: number
  /** Returns the order of the next payment. */
  order(): string
  /** Returns the orders of this check that an earlier payment had already used, if the check needs unused ones. */
  reused?(): readonly string[]
  readonly metadata: { readonly [key: string]: string }
}

export interface Check {
  readonly id: string
  /** A statement about a correct handler. */
  readonly title: string
  readonly sent: string
  /** `accept`: 2xx to each message. `reject`: any response that is not 2xx. */
  readonly expect: 'accept' | 'reject'
  readonly expected: string
  /** A handler that behaves differently gets a warning and does not fail. */
  readonly warnsOnly?: true
  /** A 5xx is an acceptable rejection. By default a 5xx causes a warning. */
  readonly allows5xx?: true
  readonly why: string
  readonly fix: string
  /** Statuses that `fix` is about. The general advice on these statuses is omitted. */
  readonly fixCoversStatuses?: readonly number[]
  /** The check is about the state of one order, which a probe of the whole shop does not show. */
  readonly needsOrderProbe?: true
  readonly steps: (values: MessageValues) => readonly Step[]
  /** Judges how the steps changed the value of a probe. */
  readonly judge?: (effects: readonly Effect[], values: MessageValues) => Judgement
  /** Judges the pages that buyers got. */
  readonly judgePages?: (pages: readonly Page[]) => Judgement
}

/** The expected response to a valid webhook. */
export const ACCEPTED = '2xx within 15 s'
/** The expected response to a valid webhook if the deadline is not the default. */
export const acceptedWithin = (ms: number) => `2xx within ${ms / 1000} s`
/** The consequence of rejecting a webhook repeatedly. */
export const GIVEN_UP = 'the service retries it for 3.4 days and then gives up'
