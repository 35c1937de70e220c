// The simulator's plans: what the bank will do with an operation, and how such a plan is written.

import { closestName } from './closest-name.ts'
import { FAILURE_CODE_NAMES, FAILURE_CODES, type FailureCode } from './failure-codes.ts'
import { formatDuration, parseDuration } from './time.ts'

/** Refusals of the request itself that a plan may ask for. */
export const PLANNED_ERRORS = [
  'aml_blocked',
  'forbidden_purpose',
  'rate_limited',
  'router_error',
  'internal_error',
] as const
export type PlannedError = (typeof PLANNED_ERRORS)[number]

type PlanKind =
  | { readonly outcome: 'succeeded' | 'requires_action' | 'pending' | 'cut' }
  | { readonly outcome: 'failed' | 'refused'; readonly code: FailureCode }
  | { readonly outcome: 'error'; readonly code: PlannedError }

/** A plan. `delay` (ms) replaces the default delay of the bank's answer. */
export type Plan = PlanKind & {
  readonly delay?: number
  /** What becomes of the refunds of this payment, where a magic amount says so. */
  readonly refunds?: 'failed' | 'pending'
}

export type StoredPlan = Plan & {
  /** What decided: `rule rul_…`, `header`, `metadata`, `card`, `magic amount 51`, `default`, `act`. */
  readonly decided_by: string
}

/** One line for messages that refuse an unknown plan. */
export const PLAN_FORMS = `succeeded, failed:<code>, requires_action, pending, refused:<code>, error:<${PLANNED_ERRORS.join('|')}>, cut; @<duration> of at most 36500d may follow`

/** Every plan without its delay, as it is written; `failed` alone first. */
export const PLAN_WORDS: readonly string[] = [
  'succeeded',
  'failed',
  'requires_action',
  'pending',
  'cut',
  ...FAILURE_CODE_NAMES.map((code) => `failed:${code}`),
  ...FAILURE_CODE_NAMES.map((code) => `refused:${code}`),
  ...PLANNED_ERRORS.map((code) => `error:${code}`),
]

/**
 * A plan as it is written: an editor offers those without a delay, and any text compiles, since tests compute them.
 * What is no plan is refused by the call, with the nearest one.
 */
export type PlanText =
  | 'succeeded'
  | 'failed'
  | 'requires_action'
  | 'pending'
  | 'cut'
  | `${'failed' | 'refused'}:${FailureCode}`
  | `error:${PlannedError}`
  | (string & Record<never, never>)

/** Why a text is no plan, as a sentence: an unknown code is told from an unknown form. */
export function planIssue(text: string): string {
  const shown = JSON.stringify(text.slice(0, 80))
  const code = /^(?:failed|refused):([^@]+)/.exec(text.trim())?.[1]
  if (code !== undefined && !Object.hasOwn(FAILURE_CODES, code)) {
    return `${shown} names no failure code. Codes are ${Object.keys(FAILURE_CODES).join(', ')}. Plans are ${PLAN_FORMS}.`
  }
  const near = closestPlan(text)
  return `${shown} is no plan.${near === undefined ? '' : ` Did you mean ${near}?`} Plans are ${PLAN_FORMS}.`
}

/** Words of other services. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['declined', 'failed'],
  ['decline', 'failed'],
  ['error', 'failed'],
  ['paid', 'succeeded'],
  ['ok', 'succeeded'],
])

/** The plan that was probably meant, with its delay: `faild@30` is near to `failed@30s`. */
export function closestPlan(text: string): string | undefined {
  const [typed = '', after] = text.trim().slice(0, 80).toLowerCase().split('@')
  const word = closestName(typed, [...PLAN_WORDS, ...MEANT.keys()]) ?? typed
  const head = MEANT.get(word) ?? (Object.hasOwn(FAILURE_CODES, typed) ? `failed:${typed}` : word)
  // `success` has the beginning of `succeeded`, and too little of its end.
  const near =
    closestName(head, PLAN_WORDS) ?? PLAN_WORDS.find((word) => head.length > 3 && word.startsWith(head.slice(0, 4)))
  if (near === undefined || after === undefined) return near
  const delay = [after, `${after}s`].find((each) => parseDuration(each) !== undefined)
  return delay === undefined ? near : `${near}@${delay}`
}

/** `metadata.simulate` of a test payment where it is no plan: it decided nothing. What it says, and what was probably meant. */
export function ignoredPlan(metadata: { readonly [key: string]: string }): IgnoredPlan | undefined {
  if (!Object.hasOwn(metadata, 'simulate') || metadata['mode'] !== 'test') return undefined
  const text = metadata['simulate'] ?? ''
  return parsePlan(text) === undefined ? { text: text.slice(0, 80), near: closestPlan(text) } : undefined
}

export interface IgnoredPlan {
  readonly text: string
  readonly near: string | undefined
}

/** One line on it, for logs and terminals. */
export function ignoredPlanText({ text, near }: IgnoredPlan): string {
  const meant = near === undefined ? '' : `: did you mean ${near}?`
  return `metadata.simulate ${JSON.stringify(text)} is no plan and was ignored${meant}`
}

/** Reads `failed:insufficient_funds@30s`; `undefined` for anything that is not a plan. `failed` alone is `do_not_honor`. */
export function parsePlan(text: string): Plan | undefined {
  const [head = '', after, ...more] = text.trim().split('@')
  if (more.length > 0) return undefined
  const delay = after === undefined ? undefined : parseDuration(after)
  if (after !== undefined && delay === undefined) return undefined
  const kind = parseKind(head)
  if (kind === undefined) return undefined
  return delay === undefined ? kind : { ...kind, delay }
}

function parseKind(head: string): PlanKind | undefined {
  const colon = head.indexOf(':')
  const outcome = colon < 0 ? head : head.slice(0, colon)
  const code = colon < 0 ? undefined : head.slice(colon + 1)
  switch (outcome) {
    case 'succeeded':
    case 'requires_action':
    case 'pending':
    case 'cut':
      return code === undefined ? { outcome } : undefined
    case 'failed':
    case 'refused': {
      const named = code ?? 'do_not_honor'
      return Object.hasOwn(FAILURE_CODES, named) ? { outcome, code: named as FailureCode } : undefined
    }
    case 'error':
      return PLANNED_ERRORS.some((known) => known === code) ? { outcome, code: code as PlannedError } : undefined
    default:
      return undefined
  }
}

/** Writes a plan the way it is read. */
export function formatPlan(plan: Plan): string {
  const head = 'code' in plan ? `${plan.outcome}:${plan.code}` : plan.outcome
  return plan.delay === undefined ? head : `${head}@${formatDuration(plan.delay)}`
}

/** What `simulator` and `metadata.simulator_outcome` show: refused counts as failed, cut as succeeded (spec 2.6). */
export function plannedOutcome(plan: Plan): 'succeeded' | 'failed' | 'requires_action' | 'pending' {
  if (plan.outcome === 'refused' || plan.outcome === 'error') return 'failed'
  return plan.outcome === 'cut' ? 'succeeded' : plan.outcome
}
