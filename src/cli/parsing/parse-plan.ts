// Validates plans, faults and match conditions before a request is sent.
import { quoteText } from '../../domain/characters.ts'
import { explainInvalidFault, parseFault } from '../../domain/fault-syntax.ts'
import { FAULT_TARGETS, type FaultTarget } from '../../domain/faults.ts'
import { faultMatchIssue, ruleMatchIssue } from '../../domain/match-fields.ts'
import { closestPlan, explainInvalidPlan, parsePlan } from '../../domain/simulator-plan.ts'
import { type CliError, usageError } from '../failure.ts'
import { suggestionIn } from './command-errors.ts'
import { oneOf } from './parse.ts'

/** Returns a valid plan unchanged, such as `failed:insufficient_funds@30s`. */
export function planText(text: string): string {
  if (parsePlan(text) !== undefined) return text
  const near = closestPlan(text)
  const why = explainInvalidPlan(text)
  if (near === undefined || why.includes('has an unknown failure code')) throw invalidValue(why)
  throw usageError(`${quoteText(text)} is not a plan.`, `Did you mean ${near}?`)
}

export function faultTarget(text: string): FaultTarget {
  return oneOf(text, Object.keys(FAULT_TARGETS) as FaultTarget[])
}

/** Returns a valid fault unchanged, such as `duplicate:2`. */
export function faultText(target: FaultTarget, text: string): string {
  if (parseFault(target, text) !== undefined) return text
  throw invalidValue(explainInvalidFault(target, text))
}

/** @param target of a fault; absent for a rule */
export function matchOf(
  pairs: readonly (readonly [string, string])[],
  target?: FaultTarget,
): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined
  const match = Object.fromEntries(pairs)
  const why = target === undefined ? ruleMatchIssue(match) : faultMatchIssue(target, match)
  if (why !== undefined) throw invalidValue(`--match ${why}`)
  return match
}

/** The message is the first sentence of `why`. The hint is the nearest known name, or the rest of `why`. */
function invalidValue(why: string): CliError {
  const [, what = why, rest = ''] = /^(.*?\.) (?=[A-Z])(.*)$/s.exec(why) ?? []
  const near = suggestionIn(why)
  return usageError(
    what,
    near === undefined ? rest || 'Write it as in the examples of `--help`.' : `Did you mean ${near}?`,
  )
}
