// The answer to most checks, found without zod: what a field surely allows, as its schema says.
import * as z from 'zod'

/** For schemas with rules of their own: whether a value passes them, and stays as it is. */
export const quickRules = z.registry<{ holds(value: unknown): boolean }>()

export interface QuickField {
  readonly name: string
  /** May be left out. */
  readonly optional: boolean
  /** Stands in where it is left out. */
  readonly fallback: unknown
  /** True only for what the schema passes unchanged; false says nothing. */
  holds(value: unknown): boolean
}

export function quickField(name: string, schema: z.core.$ZodType): QuickField {
  if (schema instanceof z.ZodOptional) return { ...quickField(name, schema.unwrap()), optional: true }
  if (schema instanceof z.ZodDefault) {
    return { ...quickField(name, schema.unwrap()), optional: true, fallback: schema.def.defaultValue }
  }
  return { name, optional: false, fallback: undefined, holds: holdsOf(schema) }
}

function holdsOf(schema: z.core.$ZodType): (value: unknown) => boolean {
  const own = quickRules.get(schema)
  if (own !== undefined) return own.holds
  if (schema instanceof z.ZodEnum) {
    const options = new Set<unknown>(schema.options)
    return (value) => options.has(value)
  }
  const checks = schema._zod.def.checks ?? []
  if (schema instanceof z.ZodString) {
    const patterns = checks.map(patternOf)
    return (value) => typeof value === 'string' && patterns.every((pattern) => pattern?.test(value))
  }
  if (schema instanceof z.ZodNumber && schema.format === 'safeint' && checks.every(isLeast)) {
    const least = schema.minValue ?? Number.MIN_SAFE_INTEGER
    return (value) => Number.isSafeInteger(value) && (value as number) >= least
  }
  return () => false
}

/** `undefined` for a check of another kind. */
function patternOf({ _zod: { def } }: z.core.$ZodCheck): RegExp | undefined {
  return 'format' in def && def.format === 'regex' && 'pattern' in def && def.pattern instanceof RegExp
    ? def.pattern
    : undefined
}

function isLeast({ _zod }: z.core.$ZodCheck): boolean {
  return 'inclusive' in _zod.def && _zod.def.check === 'greater_than' && _zod.def.inclusive === true
}
