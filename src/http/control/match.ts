// The fields a rule or fault is matched on, as they come.

import * as z from 'zod'
import { globPattern } from '../../domain/text-patterns.ts'

type Match = Readonly<Record<string, string | number>>

const OBJECT = 'an object of fields and values'
const VALUE = 'a text or a number'

/** Field by field: a record schema would drop `__proto__`, and a match without fields is met by everything. */
const match = z.custom<Match>().superRefine((fields: unknown, context) => {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    context.addIssue({ code: 'custom', message: OBJECT, input: fields })
    return
  }
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' || Number.isFinite(value)) continue
    context.addIssue({ code: 'custom', message: VALUE, path: [name], input: value })
  }
})

/** @param form which fields and values it may have, see {@link matchForm} */
export const matchOn = (description: string, form: object = {}) =>
  match.optional().meta({
    type: 'object',
    description,
    ...form,
    additionalProperties: { $ref: '#/components/schemas/MatchValue' },
  })

/**
 * The fields that the server knows, with `metadata.<name>`, for the documents. The decision checks them, because its
 * message lists them.
 * @param values of the fields whose values are known
 */
export function matchForm(fields: readonly string[], values: { readonly [field: string]: readonly string[] }) {
  const patterns = Object.entries(values).map(([field, known]) => [
    `^${field}$`,
    { type: 'string', pattern: globPattern(known) },
  ])
  return {
    propertyNames: { anyOf: [{ enum: [...new Set(fields)] }, { pattern: '^metadata\\..' }] },
    patternProperties: Object.fromEntries(patterns),
  }
}

/** `order_id`, … and `metadata.<name>`. */
export function fieldList(fields: readonly string[]): string {
  return [...fields, 'metadata.<name>'].map((field) => `\`${field}\``).join(', ')
}
