// Validates the input of a request. Unknown fields are rejected, because they are probably typos.
import * as z from 'zod'
import { closestName } from '../../domain/closest-name.ts'
import { refuse } from '../../domain/errors.ts'
import type { NumberLiterals } from '../../domain/number-literals.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { explainInvalidPlan, type Plan, parsePlan } from '../../domain/simulator-plan.ts'
import { expected } from '../../domain/zod-messages.ts'
import { type BodySchema, requireJsonObject, validationError } from '../body-schema.ts'
import { ValidationError } from '../validation-error.ts'

/**
 * @param numbers the numbers of the JSON text of the value.
 * @param name the name of the whole value in messages.
 * @throws RefusalError `bad_request` with the field and the expected value.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, numbers?: NumberLiterals, name?: string): T {
  requireJsonObject(value, numbers, name)
  const result = schema.safeParse(value, { error: expected })
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    throw unknownFieldsError(issue.keys, known, issue.path)
  }
  throw validationError(result.error.issues, value, numbers)
}

/** Validates a body of the public API with the additional field `outcome`. */
export function validatePlanned<T>(
  bodySchema: BodySchema<T>,
  { outcome, ...fields }: Record<string, unknown>,
  numbers: NumberLiterals | undefined,
): { body: T; plan: { plan?: Plan } } {
  const plan = outcome === undefined ? undefined : parsePlan(String(outcome))
  if (outcome !== undefined && plan === undefined) {
    throw refuse('bad_request', `outcome: ${explainInvalidPlan(String(outcome))}`)
  }
  const known = Object.keys(bodySchema.schema.shape)
  const unknown = Object.keys(fields).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw unknownFieldsError(unknown, [...known, 'outcome'])
  const body = bodySchema.check(fields, { strict: true, warnings: [] }, numbers)
  return { body, plan: omitUndefined({ plan }) }
}

/** Suggests the known name that was probably meant. */
function unknownFieldsError(
  keys: readonly string[],
  known: readonly string[],
  path: readonly PropertyKey[] = [],
): ValidationError {
  const issues = keys.slice(0, 5).map((key) => {
    const name = key.slice(0, 60)
    const near = closestName(name, known)
    const message = near === undefined ? 'unknown field.' : `unknown field, did you mean ${near}?`
    return { path: [...path, name], message }
  })
  return new ValidationError(issues, known.length === 0 ? '' : `Known fields: ${known.join(', ')}.`)
}
