import * as z from 'zod'
import { parseFault } from '../domain/fault-syntax.ts'
import { FAULT_TARGETS, type FaultTarget, type Rule } from '../domain/faults.ts'
import { isJsonObject } from '../domain/json-values.ts'
import { faultMatchIssue, ruleMatchIssue } from '../domain/match-fields.ts'
import { parsePlan } from '../domain/simulator-plan.ts'
import { id, time } from './row-formats.ts'

const text = z.string()
const count = z.int().min(0)

const planText = text.refine((value) => parsePlan(value) !== undefined, { error: 'not a plan' })

const ruleOrFaultFields = {
  id,
  created_at: time,
  match: z.custom<Rule['match']>(isMatch, { error: 'not an object of strings and numbers' }),
  times: count.exactOptional(),
  every: z.int().min(1).exactOptional(),
  matched: count,
  applied: count,
}

const targets = Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]]

export const RULE_ROW = z
  .strictObject({
    ...ruleOrFaultFields,
    plan: z.union([planText, z.array(planText).min(1).max(1000, 'expected a list of at most 1000 plans')]),
  })
  .superRefine((rule, context) => addMatchIssue(ruleMatchIssue(rule.match), context))

export const FAULT_ROW = z
  .strictObject({
    ...ruleOrFaultFields,
    target: z.enum(targets),
    fault: text,
    probability: z.number().min(0).max(1).exactOptional(),
  })
  .refine(({ target, fault }) => parseFault(target, fault) !== undefined, { error: 'not a fault of its target' })
  .superRefine(({ target, match }, context) => addMatchIssue(faultMatchIssue(target, match), context))

function addMatchIssue(why: string | undefined, context: z.RefinementCtx): void {
  if (why !== undefined)
    context.addIssue({ code: 'custom', path: ['match'], message: `expected fields to match on. ${why}` })
}

function isMatch(value: unknown): boolean {
  return (
    isJsonObject(value) && Object.values(value).every((inner) => typeof inner === 'string' || Number.isFinite(inner))
  )
}
