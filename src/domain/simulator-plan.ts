// Plans of the simulator, which determine the result of an operation, and their syntax.

import { quoteText } from './characters.ts'
import { closestName } from './closest-name.ts'
import { FAILURE_CODE_LIST, FAILURE_CODE_NAMES, type FailureCode, isFailureCode } from './failure-codes.ts'
import { formatDuration, parseDuration } from './time.ts'

/** Errors with which a plan can reject the request. */
export const PLANNED_ERRORS = [
  'aml_blocked',
  'forbidden_purpose',
  'rate_limited',
  'router_error',
  'internal_error',
] as const
export type PlannedError = (typeof PLANNED_ERRORS)[number]

type PlanKind =
  | { readonly outcome: 'succeeded' | 'requires_action' | 'pending' }
  /** The operation is performed, but the connection is closed without a response. */
  | { readonly outcome: 'cut' }
  /** `refused`: the object has already failed in the response to its create request. `failed`: it fails later. */
  | { readonly outcome: 'failed' | 'refused'; readonly code: FailureCode }
  | { readonly outcome: 'error'; readonly code: PlannedError }

/** A plan. `delay` (ms) replaces the default delay of the bank's response. */
export type Plan = PlanKind & {
  readonly delay?: number
  /** The result of this payment's refunds, if a magic amount sets it. */
  readonly refunds?: 'failed' | 'pending'
}

/**
 * The sources of a plan, as text for documents. The values of `decided_by` are:
 * - `rule rul_…`, `header`, `metadata`, `card`, `default`
 * - `magic <kind> <value>`, such as `magic amount 51`; the kinds are `amount`, `phone`, `bank`, `description` and
 *   `full_name`
 * - `payment`: a refund takes its result from the plan of its payment
 * - `former bank <id>`: the bank has left SBP, and magic values apply
 * - `bank former`: the same in live mode or without magic values, if no other source chose a plan
 * - `bank unknown`: the bank id is unknown, and no rule or header chose a plan
 * - `act`: an action on the page; `sample`: the payment of a test event
 */
export const PLAN_SOURCES = 'a rule, header, metadata, card, magic value, payment, bank, action, sample or default'

export type StoredPlan = Plan & {
  /** The source of the plan. {@link PLAN_SOURCES} describes the values. */
  readonly decided_by: string
}

/** A summary of the syntax for error messages. */
export const PLAN_SYNTAX = `succeeded, failed:<code>, requires_action, pending, refused:<code>, error:<${PLANNED_ERRORS.join('|')}>, cut. Each can have a delay, @<duration>, of at most 36500d`

/**
 * Returns the plans that completion and messages suggest, without a delay. `failed` comes before the plans with a code.
 * @param codes the codes of the object: those of payments or of payouts
 */
export function planNames(codes: readonly FailureCode[]): readonly string[] {
  return [
    'succeeded',
    'failed',
    'requires_action',
    'pending',
    'cut',
    ...codes.map((code) => `failed:${code}`),
    ...codes.map((code) => `refused:${code}`),
    ...PLANNED_ERRORS.map((code) => `error:${code}`),
  ]
}

/** The plans for payments, refunds and payouts. */
export const PLAN_NAMES = planNames(FAILURE_CODE_NAMES)

/**
 * The text of a plan. Editors suggest the plans without a delay. Any string compiles, because tests compute plans. An
 * invalid plan is rejected at run time with a suggestion.
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

/** Explains why {@link parsePlan} rejected a text. */
export function explainInvalidPlan(text: string): string {
  const shown = quoteText(text)
  const code = /^(?:failed|refused):([^@]+)/.exec(text.trim())?.[1]
  if (code !== undefined && !isFailureCode(code)) {
    return `${shown} has an unknown failure code. The codes are ${FAILURE_CODE_LIST}. The plans are ${PLAN_SYNTAX}.`
  }
  const closest = closestPlan(text)
  return `${shown} is not a plan.${closest === undefined ? '' : ` Did you mean ${closest}?`} The plans are ${PLAN_SYNTAX}.`
}

/** Words of other services for an outcome. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['declined', 'failed'],
  ['decline', 'failed'],
  ['error', 'failed'],
  ['paid', 'succeeded'],
  ['ok', 'succeeded'],
])

/** Returns the closest plan with its delay: `failed@30s` for `faild@30`. */
export function closestPlan(text: string): string | undefined {
  const [typed = '', after] = text.trim().slice(0, 80).toLowerCase().split('@')
  const word = closestName(typed, [...PLAN_NAMES, ...SYNONYMS.keys()]) ?? typed
  const head = SYNONYMS.get(word) ?? (isFailureCode(typed) ? `failed:${typed}` : word)
  // `success` starts like `succeeded`, but too many letters differ for `closestName`.
  const near =
    closestName(head, PLAN_NAMES) ?? PLAN_NAMES.find((word) => head.length > 3 && word.startsWith(head.slice(0, 4)))
  if (near === undefined || after === undefined) return near
  const delay = [after, `${after}s`].find((each) => parseDuration(each) !== undefined)
  return delay === undefined ? near : `${near}@${delay}`
}

/** Returns `metadata.simulate` of a test payment if it is not a plan and so was ignored, with the closest plan. */
export function ignoredPlan(metadata: { readonly [key: string]: string }): IgnoredPlan | undefined {
  if (!Object.hasOwn(metadata, 'simulate') || metadata['mode'] !== 'test') return undefined
  const text = metadata['simulate'] ?? ''
  return parsePlan(text) === undefined ? { text: text.slice(0, 80), closest: closestPlan(text) } : undefined
}

export interface IgnoredPlan {
  readonly text: string
  readonly closest: string | undefined
}

/** Returns a line for logs and terminals. */
export function ignoredPlanText({ text, closest }: IgnoredPlan): string {
  const meant = closest === undefined ? '' : ` Did you mean ${closest}?`
  return `metadata.simulate ${JSON.stringify(text)} is not a plan and was ignored.${meant}`
}

/** Parses a plan such as `failed:insufficient_funds@30s`. `failed` or `refused` alone means `do_not_honor`. */
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
      return isFailureCode(named) ? { outcome, code: named } : undefined
    }
    case 'error':
      return PLANNED_ERRORS.some((known) => known === code) ? { outcome, code: code as PlannedError } : undefined
    default:
      return undefined
  }
}

/** Formats a plan in the syntax that {@link parsePlan} reads. */
export function formatPlan(plan: Plan): string {
  const head = 'code' in plan ? `${plan.outcome}:${plan.code}` : plan.outcome
  return plan.delay === undefined ? head : `${head}@${formatDuration(plan.delay)}`
}

/**
 * Returns the outcome that the fields `simulator` and `metadata.simulator_outcome` show: `failed` for `refused` and
 * `error`, and `succeeded` for `cut` (spec 2.6).
 */
export function plannedOutcome(plan: Plan): 'succeeded' | 'failed' | 'requires_action' | 'pending' {
  if (plan.outcome === 'refused' || plan.outcome === 'error') return 'failed'
  return plan.outcome === 'cut' ? 'succeeded' : plan.outcome
}
