// What a schema expected, in the words of this program: completes "expected …" where the schema itself says nothing.

/** The parts of a schema's complaint that say what was expected. */
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

/** `a text`, `one of v2, v1`, `an integer of at least 1`. */
export function expected(complaint: SchemaIssue): string {
  const { code, values, minimum, maximum, format, keys } = complaint
  if (code === 'invalid_type') return TYPES[String(complaint.expected)] ?? 'another kind of value'
  if (code === 'invalid_value' && Array.isArray(values)) {
    return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
  }
  if (code === 'too_small') return `${TYPES[String(complaint.origin)] ?? 'a value'} of at least ${String(minimum)}`
  if (code === 'too_big') return `${TYPES[String(complaint.origin)] ?? 'a value'} of at most ${String(maximum)}`
  if (code === 'invalid_format') return format === 'url' ? 'a whole URL' : 'a text of another form'
  if (code === 'unrecognized_keys' && Array.isArray(keys)) return `no field ${keys.join(', ')}`
  return 'a value of another form'
}

const TYPES: { readonly [type: string]: string } = {
  string: 'a text',
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
