// Parses values from the command line. An invalid value is a usage error, whose hint says what to write, usually with
// an example.
import { capitalize, quoteText } from '../../domain/characters.ts'
import { closestName } from '../../domain/closest-name.ts'
import { minorUnits as decimalsOf } from '../../domain/currency.ts'
import { type SecretName, secretIssue } from '../../domain/secrets.ts'
import { parseDuration, parseInstant } from '../../domain/time.ts'
import { CLOCK_FORMS, parseClock } from '../../time/clock-syntax.ts'
import { usageError } from '../failure.ts'

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value
    if (max === Number.MAX_SAFE_INTEGER && /^\d+$/.test(text.trim()) && Number(text) > max) {
      throw usageError(`${quoteText(text)} is too large: at most ${max}.`, 'Give a smaller number.')
    }
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
    throw usageError(
      `${quoteText(text)} is not an integer ${range}.`,
      `Give it in digits, such as ${Math.max(min, Math.min(100, max))}.`,
    )
  }
}

export function nonEmpty(text: string): string {
  if (text.trim() !== '') return text
  throw usageError(`${quoteText(text)} is empty.`, 'Give a value, or omit the option.')
}

/** Parses an amount in minor units. */
export const minorUnits = minorUnitsFrom(1)

/** Like {@link minorUnits}, but 0 is valid: it means the full remainder (spec 4.4). */
export const refundUnits = minorUnitsFrom(0)

function minorUnitsFrom(least: number): (text: string) => number {
  return (text) => {
    refuseFraction(text)
    return integer(least)(text)
  }
}

function refuseFraction(text: string): void {
  const [, whole = '', part] = /^(\d+)[.,](\d+)$/.exec(text.trim()) ?? []
  if (part !== undefined) {
    const [units, minor] =
      part.length > 2 ? ['1500.00', '150000'] : [`${whole}.${part.padEnd(2, '0')}`, `${whole}${part.padEnd(2, '0')}`]
    throw usageError(
      `${quoteText(text)} has a fraction: amounts are whole minor units.`,
      `${units} RUB is ${minor.replace(/^0+(?=.)/, '')} (kopeks).`,
    )
  }
}

/** Parses a duration to ms. */
export function duration(text: string): number {
  const ms = parseDuration(text.trim())
  if (ms !== undefined) return ms
  throw usageError(
    `${quoteText(text)} is not a duration.`,
    'Write it with its unit: 500ms, 15s, 20m, 2h, 3d or 1h30m; 36500d is the longest.',
  )
}

/** Parses a duration above zero to ms. */
export function positiveDuration(text: string): number {
  const ms = duration(text)
  if (ms > 0) return ms
  throw usageError(`${quoteText(text)} is not above zero.`, 'Give a longer duration, such as 15s.')
}

/** Returns a valid duration as text, because the server parses it. */
export function durationText(text: string): string {
  duration(text)
  return text.trim()
}

/** Returns a valid RFC 3339 time as text. */
export function instantText(text: string): string {
  if (parseInstant(text.trim()) !== undefined) return text.trim()
  throw usageError(`${quoteText(text)} is not a time.`, 'Write it as RFC 3339: 2026-05-06T12:00:00Z.')
}

/** Parses an RFC 3339 time or Unix seconds to ms. */
export function instantOrSeconds(text: string): number {
  const given = text.trim()
  if (/^\d{1,12}$/.test(given)) return Number(given) * 1000
  const ms = parseInstant(given)
  if (ms !== undefined) return ms
  throw usageError(`${quoteText(text)} is not a time.`, 'Write it as 2026-05-06T12:00:00Z, or in Unix seconds.')
}

/** Returns a valid time or age as text. */
export function sinceText(text: string): string {
  if (parseDuration(text.trim()) !== undefined || parseInstant(text.trim()) !== undefined) return text.trim()
  throw usageError(`${quoteText(text)} is neither a duration nor a time.`, 'Write 10m, or 2026-05-06T12:00:00Z.')
}

export function oneOf<const C extends readonly string[]>(text: string, choices: C): C[number] {
  const found = choices.find((known) => known === text.trim())
  if (found !== undefined) return found
  const near = closestName(text, choices)
  const hint = near === undefined ? `Choose one of ${choices.join(', ')}.` : `Did you mean ${near}?`
  throw usageError(`${quoteText(text)} is not a valid value.`, hint)
}

/** Converts the value of a flag `on|off`. */
export function isOn(word: 'on' | 'off' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'on'
}

/** Parses `key=value`. The value may contain more equal signs. */
export function pair(text: string): readonly [key: string, value: string] {
  return pairLike('key=value, such as order_id=42')(text)
}

function pairLike(form: string) {
  return (text: string): readonly [key: string, value: string] => {
    const at = text.indexOf('=')
    if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)]
    throw usageError(`${quoteText(text)} is not a pair.`, `Write it as ${form}.`)
  }
}

export const settingPair = pairLike('NAME=VALUE, such as delays.bank=0s')

/** Parses a secret or key. White space at both ends is removed. All other characters must be visible ASCII. */
export function secret(text: string): string {
  const trimmed = text.trim()
  if (trimmed !== '' && !/[^\x21-\x7e]/.test(trimmed)) return trimmed
  throw usageError('A secret or key contains invalid characters.', 'Copy it again, without quotes or spaces.')
}

/**
 * Maximum characters of a token of the control API. A token is sent in a header, and the dashboard's link contains it
 * after `#`.
 */
const MAX_TOKEN = 512

export function controlToken(text: string): string {
  const token = secret(text)
  if (token.length <= MAX_TOKEN) return token
  throw usageError(
    `A token has at most ${MAX_TOKEN} characters, and this one has ${token.length}.`,
    'Choose a shorter one.',
  )
}

export const shopSecret =
  (name: SecretName) =>
  (text: string): string =>
    checkedSecret(name, text, '`psp shops create` creates a shop with generated secrets.')

function checkedSecret(name: SecretName, text: string, hint: string): string {
  const given = secret(text)
  const issue = secretIssue(name, given)
  if (issue === undefined) return given
  throw usageError(capitalize(issue), hint)
}

export function clockText(text: string): string {
  if (parseClock(text.trim()) !== undefined) return text.trim()
  throw usageError(`${quoteText(text)} is not a clock.`, `Write ${CLOCK_FORMS}.`)
}

/** Parses a webhook secret. A signing secret, which users often give by mistake, is an error. */
export function webhookSecret(text: string): string {
  return checkedSecret('webhook_secret', text, 'Copy the secret of the endpoint that receives the webhooks.')
}

export function probability(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw usageError(`${quoteText(text)} is not a probability.`, 'Give a number from 0 to 1, such as 0.25.')
}

/**
 * Creates a parser for a pattern.
 * @param hint a sentence with an example
 */
const matchingText =
  (form: RegExp, what: string, hint: string) =>
  (text: string): string => {
    if (form.test(text.trim())) return text.trim()
    throw usageError(`${quoteText(text)} is ${what}.`, hint)
  }

/** Parses an ISO 4217 code that the API accepts. */
export function currencyCode(text: string): string {
  if (decimalsOf(text) !== undefined) return text
  const upper = text.trim().toUpperCase()
  throw usageError(
    `${quoteText(text)} is not an active ISO 4217 code in upper case.`,
    decimalsOf(upper) === undefined ? 'Write it as RUB, USD or EUR.' : `Did you mean ${upper}?`,
  )
}

/** Spec 4.5. */
export const phoneNumber = matchingText(/^\+7\d{10}$/, 'not +7 and ten digits', 'Write it as +79161234567.')
/** Spec 4.5. */
export const bankNumber = matchingText(
  /^\d{12}$/,
  'not the twelve digits of a bank',
  '`psp banks NAME` finds it, as in `psp banks сбер`.',
)
export const statusFilter = matchingText(
  /^[1-5](xx|\d\d)$/i,
  'not an HTTP status',
  'Write one such as 404, or a class such as 4xx.',
)
export const snapshotName = matchingText(
  /^[a-z0-9][a-z0-9._-]{0,63}$/,
  'not a valid name for a snapshot',
  'Use 1 to 64 characters from a-z, 0-9, dot, dash and underscore; the first is a letter or digit.',
)
