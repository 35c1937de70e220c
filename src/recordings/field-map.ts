// Replaces ids of the production system with ids that exist in the application under test.
import { editJson } from '../domain/edit-json.ts'
import { RecordingError } from './recording-error.ts'

export interface FieldMap {
  /** The name of a field, or a path such as `metadata.cart`. */
  readonly field: string
  readonly values: ReadonlyMap<string, string>
}

/**
 * Reads a map: a JSON object, or lines `old,new`.
 * @throws RecordingError, with the number of a wrong line
 */
export function parseFieldMap(field: string, text: string, name: string): FieldMap {
  const content = text.replace(/^\ufeff/, '')
  const pairs = content.trimStart().startsWith('{') ? jsonPairs(content, name) : csvPairs(content, name)
  if (pairs.length === 0) throw new RecordingError(`${name} contains no pairs.`, SYNTAX)
  return { field, values: new Map(pairs) }
}

function jsonPairs(text: string, name: string): [string, string][] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new RecordingError(`${name} is not valid JSON.`, SYNTAX)
  }
  return Object.entries(document as object).map(([from, to]) => {
    if (typeof to !== 'string' && typeof to !== 'number')
      throw new RecordingError(
        `${name}: the value of ${JSON.stringify(from)} is neither a string nor a number.`,
        SYNTAX,
      )
    return [from, String(to)]
  })
}

const SYNTAX = 'Write lines such as ord_production,ord_local, or a JSON object {"ord_production": "ord_local"}.'

function csvPairs(text: string, name: string): [string, string][] {
  return text.split('\n').flatMap((line, at): [string, string][] => {
    const cells = line
      .trim()
      .split(/\s*[,;\t]\s*/)
      .map((cell) => cell.replace(/^"(.*)"$/, '$1'))
    const [from = '', to = '', ...more] = cells
    if (from === '' && to === '') return []
    if (from === '' || to === '' || more.length > 0)
      throw new RecordingError(`${name} line ${at + 1} must have two values, separated by a comma.`, SYNTAX)
    return [[from, to]]
  })
}

export interface Mapped {
  readonly body: string
  /** Values of mapped fields that no map contains. */
  readonly unmapped: readonly string[]
}

/** Replaces the values of the fields in a JSON text, and keeps all other bytes. */
export function mapFields(body: string, maps: readonly FieldMap[]): Mapped {
  const unmapped = new Set<string>()
  const mapped = editJson(body, ({ kind, path, value }) => {
    if (kind === 'key') return undefined
    const found = maps.filter(({ field }) => isAt(path, field))
    if (found.length === 0) return undefined
    const to = found.map(({ values }) => values.get(value)).find((each) => each !== undefined)
    if (to === undefined) unmapped.add(value)
    return to
  })
  return { body: mapped, unmapped: [...unmapped] }
}

/** Returns the paths of all strings and numbers, such as `data.order_id`. */
export function fieldsOf(bodies: readonly string[]): string[] {
  const fields = new Set<string>()
  for (const body of bodies) {
    editJson(body, ({ kind, path }) => {
      if (kind !== 'key') fields.add(path.join('.'))
      return undefined
    })
  }
  return [...fields].sort()
}

/** Returns whether one of the paths ends with the field. */
export function isField(field: string, paths: readonly string[]): boolean {
  return paths.some((path) => isAt(path.split('.'), field))
}

/** Returns whether the path ends with the field. */
function isAt(path: readonly string[], field: string): boolean {
  return path.join('.') === field || path.join('.').endsWith(`.${field}`)
}
