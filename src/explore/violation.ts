// The rules of an exploration, each with its title, reason and fix, and the violation of a rule.
import type { OrderName } from './story.ts'

/** The rules in the order of their precedence. The first broken one is reported. */
export const ORACLES = {
  availability: {
    title: 'accepts every event in the end',
    why: 'An event that is refused nine times is never sent again, so the shop never learns what happened.',
    fix: 'Respond 2xx as soon as the event is stored, and to events that change nothing. Find the error of this event in the log of the handler.',
  },
  idempotence: {
    title: 'ignores an event that it has already handled',
    why: 'Events are sent more than once. If a handler counts each copy, it credits, ships or refunds twice.',
    fix: 'Store event ids under a unique key, in the transaction that does the work. Respond 2xx to a known id.',
  },
  isolation: {
    title: 'changes only the order of the event',
    why: 'An event about the order of one buyer must not change the order of another buyer.',
    fix: 'Find the order by data.order_id and the payment by data.id. Do not use the newest row or a shared variable.',
  },
  no_way_back: {
    title: 'does not return to an older state',
    why: 'A retried event arrives after newer ones. If a handler lets the last event win, it undoes what is true.',
    fix: 'Ignore data that is older than yours. Let a failed, expired or cancelled payment close only itself, never a paid order.',
  },
  money: {
    title: 'keeps the correct sums',
    why: 'The sums of the shop differ from those of the service, so the books are wrong.',
    fix: 'Set the refunded amount to data.amount_refunded, which is a total. Change sums in one transaction, and do not read a sum and write it back later.',
  },
  truth: {
    title: 'ends in the true state',
    why: 'The order shows something that did not happen.',
    fix: 'Derive the state of the order from data.status and data.amount_refunded of all its payments.',
  },
  convergence: {
    title: 'ends in the same state in any order',
    why: 'Events arrive in any order. The same events must lead to the same state.',
    fix: 'Merge each event so that the sequence does not matter: keep the newest data of each payment, and derive the state of the order from it.',
  },
} as const

export type OracleId = keyof typeof ORACLES

export interface Violation {
  readonly oracle: OracleId
  /** Identifies the bug: `money balance $.balance too low`. Only one finding with each cause is reported. */
  readonly cause: string
  /** One sentence that says what is wrong. */
  readonly title: string
  readonly got: string
  readonly expected: string
  readonly order?: OrderName
  /** The probe that shows the violation. Omitted if the responses show it. */
  readonly probe?: string
  /** Replaces the `why` of the rule. */
  readonly why?: string
  /** Replaces the `fix` of the rule. */
  readonly fix?: string
}
