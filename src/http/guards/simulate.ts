// X-PSP-Simulate: the caller chooses the simulator's plan for this request.
import { refuse } from '../../domain/errors.ts'
import { type Plan, parsePlan, whyNoPlan } from '../../domain/simulator-plan.ts'
import { type Exchange, header } from '../app-env.ts'

export function simulatedPlan(c: Exchange): Plan | undefined {
  const value = header(c, 'x-psp-simulate')
  if (value === undefined) return undefined
  const plan = parsePlan(value)
  if (plan !== undefined) return plan
  throw refuse('bad_request', `X-PSP-Simulate: ${whyNoPlan(value)}`)
}
