// The fields that a rule or fault matches.

import * as z from 'zod'
import { globPattern } from '../../domain/text-patterns.ts'
import { recordOf } from '../value-schemas.ts'

type Match = Readonly<Record<string, string | number>>

const match = recordOf(
  'an object of fields and values',
  'a string or a number',
  (value): value is string | number => typeof value === 'string' || Number.isFinite(value),
)

/** @param keywords JSON Schema keywords for the fields and values that `match` may have, see {@link matchKeywords} */
export const matchSchema = (description: string, keywords: object = {}) =>
  match.optional().meta({
    description,
    ...keywords,
    additionalProperties: { $ref: '#/components/schemas/MatchValue' },
  })

/**
 * Returns JSON Schema keywords that describe the known fields and `metadata.<name>` in the document. The engine checks
 * the fields, with a message that lists them.
 * @param values for each field with known values, these values
 */
export function matchKeywords(fields: readonly string[], values: { readonly [field: string]: readonly string[] }) {
  const patterns = Object.entries(values).map(([field, known]) => [
    `^${field}$`,
    { type: 'string', pattern: globPattern(known) },
  ])
  return {
    propertyNames: { anyOf: [{ enum: [...new Set(fields)] }, { pattern: '^metadata\\..' }] },
    patternProperties: Object.fromEntries(patterns),
  }
}

/** A query field of the routes that list or delete rules and faults. */
export const shopFilter = z
  .string()
  .optional()
  .meta({ description: 'Only rules or faults whose `match` contains this shop.' })

export const isOfShop =
  (shop_id: string | undefined) =>
  ({ match }: { readonly match: Match }): boolean =>
    shop_id === undefined || match['shop_id'] === shop_id

/** Returns a list of the fields in Markdown, with `metadata.<name>`. */
export function fieldList(fields: readonly string[]): string {
  return [...fields, 'metadata.<name>'].map((field) => `\`${field}\``).join(', ')
}
