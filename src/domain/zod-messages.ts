// Describes a value, and the expected value of a schema, for messages such as "expected …, got …".

/** The parts of a zod issue that describe the expected value. */
export interface SchemaIssue {
  readonly code?: string | undefined
  readonly expected?: unknown
  readonly values?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly origin?: unknown
  readonly format?: unknown
  readonly keys?: unknown
}

/** Returns wording such as `a string`, `one of v2, v1` or `an integer of at least 1`. */
export function expected(issue: SchemaIssue): string {
  const { code, values, minimum, maximum, format, keys } = issue
  if (code === 'invalid_type') return TYPES[String(issue.expected)] ?? 'another kind of value'
  if (code === 'invalid_value' && Array.isArray(values)) {
    return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
  }
  if (code === 'too_small') return `${TYPES[String(issue.origin)] ?? 'a value'} of at least ${String(minimum)}`
  if (code === 'too_big') return `${TYPES[String(issue.origin)] ?? 'a value'} of at most ${String(maximum)}`
  if (code === 'invalid_format') return format === 'url' ? 'a complete URL' : 'a string in another format'
  if (code === 'unrecognized_keys' && Array.isArray(keys)) return `no field ${keys.join(', ')}`
  return 'a value in another format'
}

const TYPES: { readonly [type: string]: string } = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  undefined: 'nothing',
  never: 'nothing',
}

/** Formats a value as JSON for messages. Also describes values that JSON lacks, such as `Infinity` and `10n`. */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' || typeof value === 'symbol') return String(value)
  if (typeof value === 'function') return 'a function'
  try {
    const text = JSON.stringify(value) ?? 'a value that is not JSON'
    return text === '{}' ? describeEmpty(Object(value)) : text
  } catch {
    return 'a value that is not JSON'
  }
}

/** JSON shows no fields of such an object: a promise, a map, or an object without fields. */
function describeEmpty({ constructor: { name } = Object }: object): string {
  return name === 'Object' ? '{}' : `an object of the class ${name}`
}
