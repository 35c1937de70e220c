// Finds JSON numbers that a double cannot represent, such as 1.00000000000000000001 and 1e400.

import { endOfString } from './edit-json.ts'
import { ownValue } from './json-values.ts'

/** The numbers of a JSON text as they were written. */
export interface NumberLiterals {
  /** Returns the number at a path, or `undefined` if there is none. */
  at(path: readonly PropertyKey[]): string | undefined
  /** Returns the top-level fields whose number was rounded to an integer, with the original number. */
  rounded(): ReadonlyMap<string, string>
}

/** @param text JSON that was parsed without an error */
export function numberLiterals(text: string): NumberLiterals {
  let marked: unknown
  const all = () => (marked ??= withMarkedNumbers(text))
  return {
    at: (path) => numberOf(path.reduce<unknown>(ownValue, all())),
    rounded: () => (MAY_BE_ROUNDED.test(text) ? roundedFields(all()) : NONE),
  }
}

/** Returns the numbers below a part of the document. `rounded` still returns the fields of the whole document. */
export function literalsWithin(numbers: NumberLiterals | undefined, ...place: readonly PropertyKey[]) {
  return numbers && { ...numbers, at: (path: readonly PropertyKey[]) => numbers.at([...place, ...path]) }
}

/** Whether a parsed number is too large to be exact, so the original may differ: `1e400` or 9007199254740993. */
export function isInexact(value: unknown): boolean {
  return typeof value === 'number' && (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value))
}

/** Parsing can round a number to an integer only if it has many digits, or is tiny. Other bodies need no second parse. */
const MAY_BE_ROUNDED = /\d[\d.]{15}|[eE]-\d{3}/

/** The start of a string, or a number. */
const TOKEN = /"|-?\d[\d.eE+-]*/g

const NONE: ReadonlyMap<string, string> = new Map()

/** The first character of a string that was a number. */
const MARK = '\u0000'

function withMarkedNumbers(text: string): unknown {
  const tokens = new RegExp(TOKEN)
  let marked = ''
  let copied = 0
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    if (match[0] === '"') {
      tokens.lastIndex = endOfString(text, match.index)
      continue
    }
    marked += `${text.slice(copied, match.index)}"\\u0000${match[0]}"`
    copied = tokens.lastIndex
  }
  return JSON.parse(marked + text.slice(copied))
}

function numberOf(value: unknown): string | undefined {
  return typeof value === 'string' && value[0] === MARK ? value.slice(1) : undefined
}

function roundedFields(document: unknown): ReadonlyMap<string, string> {
  if (typeof document !== 'object' || document === null) return NONE
  const rounded = new Map<string, string>()
  for (const [field, value] of Object.entries(document)) {
    const written = numberOf(value)
    if (written !== undefined && Number.isInteger(Number(written)) && !isExactInteger(written)) {
      rounded.set(field, written)
    }
  }
  return rounded
}

/** `1e2`, `100.0` and `0.1e1` are integers; `100.00000000000000001` is not. */
function isExactInteger(token: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? []
  const places = fraction.length - Number(exponent)
  if (places <= 0) return true
  return /^0*$/.test((whole + fraction).slice(-places))
}
