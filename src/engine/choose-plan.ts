// Chooses the plan. The first source that has one decides: a rule, the request header, metadata, a magic value, for a
// refund the payment's plan, the default.
import type { RefusalError } from '../domain/errors.ts'
import { countMatch, type Facts, isNthMatch, matches, nextPlan, type Rule } from '../domain/faults.ts'
import { simulatedError } from '../domain/simulated-errors.ts'
import { ignoredPlan, ignoredPlanText, type Plan, parsePlan, type StoredPlan } from '../domain/simulator-plan.ts'
import type { Draft } from './draft.ts'

export interface PlanSources {
  readonly facts: Facts
  readonly header?: Plan | undefined
  /** `metadata.simulate`, free text of the merchant. */
  readonly metadata?: string | undefined
  /** Called only if no source above decides. */
  readonly magic?: () => { readonly plan: Plan; readonly label: string } | undefined
  /** For a refund: the plan that its payment's plan contains. */
  readonly inherited?: Plan | undefined
}

/** Returns the plan, what decided it, and a warning if `metadata.simulate` is invalid. Counts the rule in the draft. */
export function choosePlan(draft: Draft, sources: PlanSources): { plan: StoredPlan; warnings: string[] } {
  const warnings: string[] = []
  const rule = consumeRule(draft, sources.facts)
  if (rule !== undefined) return { plan: { ...parsed(nextPlan(rule)), decided_by: `rule ${rule.id}` }, warnings }
  if (sources.header !== undefined) return { plan: { ...sources.header, decided_by: 'header' }, warnings }
  if (sources.metadata !== undefined) {
    const plan = parsePlan(sources.metadata)
    if (plan !== undefined) return { plan: { ...plan, decided_by: 'metadata' }, warnings }
    const ignored = ignoredPlan({ mode: 'test', simulate: sources.metadata })
    if (ignored !== undefined) warnings.push(ignoredPlanText(ignored))
  }
  const magic = draft.world.settings.magic ? sources.magic?.() : undefined
  if (magic !== undefined) return { plan: { ...magic.plan, decided_by: magic.label }, warnings }
  if (sources.inherited !== undefined) return { plan: { ...sources.inherited, decided_by: 'payment' }, warnings }
  return { plan: defaultPlan(draft.world.settings.default_outcome), warnings }
}

let cachedDefault: { readonly text: string; readonly plan: StoredPlan } | undefined

/** Returns the default plan. Most payments have it, so they share one object. */
function defaultPlan(text: string): StoredPlan {
  if (cachedDefault?.text !== text)
    cachedDefault = { text, plan: Object.freeze({ ...parsed(text), decided_by: 'default' }) }
  return cachedDefault.plan
}

/** Returns the refusal of an `error:` plan. A rate limit needs a Retry-After. */
export function plannedRefusal(plan: StoredPlan & { readonly outcome: 'error' }): RefusalError {
  const headers = plan.code === 'rate_limited' ? { 'Retry-After': '1' } : {}
  return simulatedError(plan.code, plan.decided_by, headers)
}

/** Returns whether a card entered on the page may still change the plan. */
export function canCardOverride({ decided_by }: StoredPlan): boolean {
  return decided_by === 'default' || decided_by.startsWith('magic ')
}

/** Returns the newest rule that applies. Counts it, and the newer rules that match but do not apply this time. */
function consumeRule(draft: Draft, facts: Facts): Rule | undefined {
  if (draft.world.size('rules') === 0) return undefined
  for (const rule of draft.world.rows('rules', 'newest')) {
    if (rule.times === 0 || !matches(rule.match, facts)) continue
    const applies = isNthMatch(rule)
    draft.put('rules', countMatch(rule, applies))
    if (applies) return rule
  }
  return undefined
}

/** Parses a plan that was validated on input. */
function parsed(text: string): Plan {
  const plan = parsePlan(text)
  if (plan === undefined) throw new Error(`A stored plan cannot be read: ${text}`)
  return plan
}
