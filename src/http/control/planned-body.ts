// A create body of the public API with the additional field `outcome`.
import { refuse } from '../../domain/errors.ts'
import type { NumberLiterals } from '../../domain/number-literals.ts'
import { explainInvalidPlan, type Plan, parsePlan } from '../../domain/simulator-plan.ts'
import type { BodySchema } from '../body-schema.ts'
import { ValidationError } from '../validation-error.ts'
import { unknownFieldMessage } from './input.ts'

/** Validates a create body and its `outcome`. */
export function validatePlanned<T>(
  bodySchema: BodySchema<T>,
  value: Record<string, unknown>,
  numbers: NumberLiterals | undefined,
): { body: T; plan: { plan?: Plan } } {
  const { outcome, ...rest } = value
  const plan = outcome === undefined ? undefined : parsePlan(String(outcome))
  if (outcome !== undefined && plan === undefined) {
    throw refuse('bad_request', `outcome: ${explainInvalidPlan(String(outcome))}`)
  }
  const known = Object.keys(bodySchema.schema.shape)
  const unknown = Object.keys(rest).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const issues = unknown
      .slice(0, 5)
      .map((name) => ({ path: [name.slice(0, 60)], message: unknownFieldMessage(name, known) }))
    throw new ValidationError(issues, `Known fields: ${[...known, 'outcome'].join(', ')}.`)
  }
  const body = bodySchema.check(rest, { strict: true, warnings: [] }, numbers)
  return { body, plan: plan === undefined ? {} : { plan } }
}
