// The fields that a rule or fault matches.

import * as z from 'zod'
import { globPattern } from '../../domain/text-patterns.ts'

type Match = Readonly<Record<string, string | number>>

const OBJECT = 'an object of fields and values'
const VALUE = 'a text or a number'

/** Checks each field. A record schema would drop `__proto__`, and a match without fields applies to everything. */
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

/** @param form the fields and values that it may have, see {@link matchForm} */
export const matchOn = (description: string, form: object = {}) =>
  match.optional().meta({
    type: 'object',
    description,
    ...form,
    additionalProperties: { $ref: '#/components/schemas/MatchValue' },
  })

/**
 * Describes the known fields and `metadata.<name>` in the documents. The engine checks them, because its message lists
 * them.
 * @param values the values of the fields that have known values
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

/** The query field of the lists of rules and faults. */
export const ofShop = z.string().optional().meta({ description: 'Those whose `match` contains this shop.' })

export const isOfShop =
  (shop_id: string | undefined) =>
  ({ match }: { readonly match: Match }): boolean =>
    shop_id === undefined || match['shop_id'] === shop_id

/** Returns a list of the fields in Markdown, with `metadata.<name>`. */
export function fieldList(fields: readonly string[]): string {
  return [...fields, 'metadata.<name>'].map((field) => `\`${field}\``).join(', ')
}
