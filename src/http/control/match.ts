// The fields a rule or fault is matched on, as they come.
import * as z from 'zod'

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

/** @param fields that the server knows, besides `metadata.<name>` */
export const matchOn = (fields: readonly string[], description: string) =>
  match.optional().meta({
    type: 'object',
    description,
    propertyNames: { anyOf: [{ enum: [...new Set(fields)] }, { pattern: '^metadata\\..' }] },
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  })

/** `order_id`, … and `metadata.<name>`. */
export function fieldList(fields: readonly string[]): string {
  return [...fields, 'metadata.<name>'].map((field) => `\`${field}\``).join(', ')
}
