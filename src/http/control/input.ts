// Validates the input of a request. Unknown fields are rejected, because they are probably typos.
import * as z from 'zod'
import { closestName } from '../../domain/closest-name.ts'
import type { NumberLiterals } from '../../domain/number-literals.ts'
import { expected } from '../../domain/zod-messages.ts'
import { requireJsonObject, validationError } from '../body-schema.ts'
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
  for (const issue of result.error.issues)
    if (issue.code === 'unrecognized_keys') throw unknownFieldsError(schema, issue)
  throw validationError(result.error.issues, value, numbers)
}

/** Returns the message for an unknown field, with the known name that was probably meant. */
export function unknownFieldMessage(key: string, known: readonly string[]): string {
  const near = closestName(key.slice(0, 60), known)
  return near === undefined ? 'unknown field.' : `unknown field, did you mean ${near}?`
}

function unknownFieldsError(schema: z.ZodType, { keys, path }: z.core.$ZodIssueUnrecognizedKeys) {
  const known = path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const hint = known.length === 0 ? '' : `Known fields: ${known.join(', ')}.`
  const issues = keys
    .slice(0, 5)
    .map((key) => ({ path: [...path, key.slice(0, 60)], message: unknownFieldMessage(key, known) }))
  return new ValidationError(issues, hint)
}
