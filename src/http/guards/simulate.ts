// X-PSP-Simulate: the caller chooses the simulator's plan for this request.
import { refuse } from '../../domain/errors.ts'
import { type Plan, parsePlan, planIssue } from '../../domain/simulator-plan.ts'
import type { Exchange } from '../app-env.ts'
import { singleHeader } from './single-header.ts'

export function simulatedPlan(c: Exchange): Plan | undefined {
  const value = singleHeader(c, 'X-PSP-Simulate')
  if (value === undefined) return undefined
  const plan = parsePlan(value)
  if (plan !== undefined) return plan
  throw refuse('bad_request', `X-PSP-Simulate: ${planIssue(value)}`)
}
