// Validates fields whose form the specification defines, before a request is sent.
import { minorUnits } from '../../domain/currency.ts'
import { usage } from '../failure.ts'
import { quote } from './parse.ts'

/** Creates a parser for a pattern. @param hint a sentence with an example */
const formed =
  (form: RegExp, what: string, hint: string) =>
  (text: string): string => {
    if (form.test(text.trim())) return text.trim()
    throw usage(`${quote(text)} is ${what}.`, hint)
  }

/** Parses an ISO 4217 code that the API accepts. */
export function currencyCode(text: string): string {
  if (minorUnits(text) !== undefined) return text
  const upper = text.trim().toUpperCase()
  throw usage(
    `${quote(text)} is not an active ISO 4217 code in upper case.`,
    minorUnits(upper) === undefined ? 'Write it as RUB, USD or EUR.' : `Did you mean ${upper}?`,
  )
}

/** Spec 4.4. */
export const phoneNumber = formed(/^\+7\d{10}$/, 'not +7 and ten digits', 'Write it as +79161234567.')
/** Spec 4.4. */
export const bankNumber = formed(
  /^\d{12}$/,
  'not the twelve digits of a bank',
  '`psp banks NAME` finds it, as in `psp banks сбер`.',
)
/** Parses a filter of the request log: a status, or a class of statuses. */
export const statusFilter = formed(
  /^[1-5](xx|\d\d)$/i,
  'not an HTTP status',
  'Write one such as 404, or a class such as 4xx.',
)
export const snapshotName = formed(
  /^[a-z0-9][a-z0-9._-]{0,63}$/,
  'not a valid name for a snapshot',
  'Use 1 to 64 of a-z, 0-9, dot, dash and underscore; the first is a letter or digit.',
)
