// A check of a webhook handler, as data: what is sent, and what a right handler makes of it.
import type { HeaderList } from '../domain/delivery.ts'
import type { Effect, Judgement, Subject } from './effect.ts'
import type { Page } from './page.ts'

/** One request, ready to be sent. */
export interface Message {
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The body comes in so many pieces, with pauses between them. */
  readonly pieces?: number
  /** Instead of a webhook: a buyer's browser gets the page at this address. */
  readonly visit?: string
}

/** Messages that go out at once. */
export interface Step {
  readonly about: Subject
  readonly messages: readonly Message[]
}

/** What the messages of one run are made of; the same values make the same bytes. */
export interface Ground {
  /** The whole `whs_…`. */
  readonly secret: string
  /** Of the machine's clock, ms since the Unix epoch. */
  readonly now: number
  readonly random: { uuid(): string; token(length: number): string }
  /** Minor units of the sample payments. */
  readonly amount: number
  /** The order of the next payment. */
  order(): string
  /** Orders that an earlier payment had used, although the check needs unused ones. */
  reused?(): readonly string[]
  readonly metadata: { readonly [key: string]: string }
}

export interface Check {
  readonly id: string
  /** What a right handler does. */
  readonly title: string
  readonly sent: string
  /** `taken`: 2xx to each message. `refused`: anything else, as long as it is an answer. */
  readonly expect: 'taken' | 'refused'
  readonly expected: string
  /** A handler that differs is warned of and does not fail. */
  readonly mild?: true
  /** A 5xx is as good a refusal as any; else it is warned of. */
  readonly ownErrors?: true
  readonly why: string
  readonly fix: string
  /** Statuses that the fix is about: no other advice on them is given. */
  readonly covers?: readonly number[]
  /** It is about the state of one order, which a value of the whole shop does not show. */
  readonly ofOrder?: true
  readonly steps: (ground: Ground) => readonly Step[]
  /** Looks at what the steps did to the merchant's own value; without a probe it cannot be judged. */
  readonly judge?: (effects: readonly Effect[], ground: Ground) => Judgement
  /** Looks at the pages that buyers got. */
  readonly judgePages?: (pages: readonly Page[]) => Judgement
}

/** What a check expects whose webhook is right. */
export const TAKEN = '2xx within 15 s'
/** The same with another deadline (ms). */
export const takenWithin = (ms: number) => `2xx within ${ms / 1000} s`
/** What comes of a webhook that is refused again and again. */
export const GIVEN_UP = 'it is sent again for 3.4 days and then given up'
