// The filter language of lists: words, and comparisons such as `status=failed amount>1000 order~A-10`.
import { minorUnits } from '../../domain/currency.ts'
import { FILTER_FIELDS, type FieldValue } from './filter-fields.ts'
import type { PaneName, Row } from './rows.ts'

export type FilterOperator = '=' | '!=' | '~' | '!~' | '>' | '>=' | '<' | '<='

export interface Filter {
  /**
   * Returns whether a row matches.
   * @param text the text of the row in lower case, for words without a field
   */
  readonly matches: (row: Row, text: () => string) => boolean
  /** Why a part of the filter has no effect as a comparison, and what to write. */
  readonly problem: string | undefined
}

type Test = (row: Row, text: () => string) => boolean

// A field, an operator and a value, which may be in quotes; or a word.
const TERM = /([a-z_]+(?:\.[^\s=!~<>"]+)?)(!=|!~|>=|<=|=|~|>|<)("[^"]*"?|\S*)|"([^"]*)"?|(\S+)/giu

/** Parses the text of a filter. Never throws. A part with an unknown field is searched as a word. */
export function parseFilter(text: string, pane: PaneName): Filter {
  const tests: Test[] = []
  let problem: string | undefined
  for (const [whole, name, operator, value = '', quoted, word] of text.matchAll(TERM)) {
    const wanted = (quoted ?? word ?? whole).toLowerCase()
    const contains: Test = (_row, rowText) => rowText().includes(wanted)
    if (name === undefined || operator === undefined) {
      tests.push(contains)
      continue
    }
    const field = findField(pane, name.toLowerCase())
    if (field === undefined) {
      problem ??= `${name} is not a field. Fields: ${fieldNames(pane).join(', ')}.`
      tests.push(contains)
      continue
    }
    const unquoted = value.replace(/^"|"$/g, '')
    // The user is still typing the value.
    if (unquoted === '') continue
    const test = comparison(field, operator as FilterOperator, unquoted)
    if (test === undefined) problem ??= `${operator} needs a number: ${name}${operator}100.`
    else tests.push(test)
  }
  return { matches: (row, rowText) => tests.every((test) => test(row, rowText)), problem }
}

type Field = (row: Row) => FieldValue

function fieldNames(pane: PaneName): readonly string[] {
  return [...Object.keys(FILTER_FIELDS[pane]), ...(pane === 'payments' ? ['metadata.KEY'] : [])]
}

function findField(pane: PaneName, name: string): Field | undefined {
  const fields = FILTER_FIELDS[pane] as { readonly [name: string]: Field }
  if (Object.hasOwn(fields, name)) return fields[name]
  const key = /^metadata\.(.+)$/.exec(name)?.[1]
  if (key === undefined || pane !== 'payments') return undefined
  return (row) => ('payment' in row ? metadataValue(row.payment.metadata, key) : undefined)
}

/** Keys of metadata match in any letter case, because the name of a field does. */
function metadataValue(metadata: Readonly<Record<string, string>>, key: string): FieldValue {
  return Object.entries(metadata).find(([name]) => name.toLowerCase() === key)?.[1]
}

/** Returns `undefined` if the operator needs a number and the value is not a number. */
function comparison(field: Field, operator: FilterOperator, value: string): Test | undefined {
  const wanted = value.toLowerCase()
  switch (operator) {
    case '=':
    case '!=': {
      // Commas separate alternatives, and `*` matches any text.
      const patterns = wanted.split(',').filter(Boolean).map(patternOf)
      const equals = (row: Row) => patterns.some((matches) => matches(field(row)))
      return operator === '=' ? equals : (row) => !equals(row)
    }
    case '~':
      return (row) => textOf(field(row)).includes(wanted)
    case '!~':
      return (row) => !textOf(field(row)).includes(wanted)
    default: {
      const limit = numberOf(value)
      return limit === undefined ? undefined : (row) => compare(majorOf(field(row)), operator, limit)
    }
  }
}

function patternOf(wanted: string): (value: FieldValue) => boolean {
  const number = numberOf(wanted)
  const parts = wanted.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`, 's')
  return (value) => (number !== undefined && majorOf(value) === number) || pattern.test(textOf(value))
}

function compare(value: number | undefined, operator: '>' | '>=' | '<' | '<=', limit: number): boolean {
  if (value === undefined) return false
  if (operator === '>') return value > limit
  if (operator === '>=') return value >= limit
  return operator === '<' ? value < limit : value <= limit
}

/** Parses `1000`, `1_000.50` or `1000,5`. */
function numberOf(text: string): number | undefined {
  const plain = text.replace(/_/g, '').replace(',', '.')
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined
}

/** Returns a number unchanged, and an amount in major units. */
function majorOf(value: FieldValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null) return undefined
  return value.amount / 10 ** (minorUnits(value.currency) ?? 2)
}

function textOf(value: FieldValue): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? String(majorOf(value)) : String(value).toLowerCase()
}
