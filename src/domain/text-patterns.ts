// Regular expressions in the OpenAPI documents, for strings that have a parser in this directory.
import { CURRENCY_CODES } from './currency.ts'
import { FAILURE_CODE_NAMES } from './failure-codes.ts'
import { FAULT_VALUE_KINDS } from './fault-syntax.ts'
import { FAULT_TARGETS, type FaultTarget } from './faults.ts'
import { IPV4, IPV6 } from './http-url.ts'
import { PLANNED_ERRORS } from './simulator-plan.ts'

/** Up to five parts below 7000 days each, so that no sum exceeds the limit of 36500 days. The limit itself is valid. */
const DURATION =
  '(36500d|([1-6]?[0-9]{1,3}(\\.[0-9]{1,9})?d|[0-9]{1,5}(\\.[0-9]{1,9})?h|[0-9]{1,7}(\\.[0-9]{1,9})?m|[0-9]{1,8}(\\.[0-9]{1,9})?s|[0-9]{1,11}(\\.[0-9]{1,9})?ms){1,5})'

/** Pattern for `parseDuration`, which also accepts unusual durations such as `36000d500d`. */
export const DURATION_PATTERN = `^${DURATION}$`

const CODE = `(${FAILURE_CODE_NAMES.join('|')})`

/** Pattern for `parsePlan`. */
export const PLAN_PATTERN = `^\\s*(succeeded|requires_action|pending|cut|(failed|refused)(:${CODE})?|error:(${PLANNED_ERRORS.join('|')}))(@${DURATION})?\\s*$`

const VALUES = { duration: DURATION, status: '[45][0-9]{2}', count: '[1-9][0-9]{0,3}' } as const

/** Pattern for `parseFault`. */
export function faultPattern(target: FaultTarget): string {
  const forms = FAULT_TARGETS[target].map((name) => {
    const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
    return kind === undefined ? name : `${name}:${VALUES[kind]}`
  })
  return `^(${forms.join('|')})$`
}

/** The days of each month. Accepts February 29 in every year. */
const DAY = '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))'
const INSTANT = `[0-9]{4}-${DAY}[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`

/** Pattern for `parseInstant`: a `date-time` with at most nine fraction digits. */
export const INSTANT_PATTERN = `^${INSTANT}$`

/** Pattern for a time, or for a duration before now. */
export const SINCE_PATTERN = `^(${INSTANT}|${DURATION})$`

/** Pattern for `isCurrencyCode`. */
export const CURRENCY_PATTERN = `^(${CURRENCY_CODES.join('|')})$`

/** Pattern for `parseKey`. */
export const API_KEY_PATTERN = '^sk_(test|live)_[A-Za-z0-9]{6}_[A-Za-z0-9._~+/=-]{1,256}$'

/** Pattern for `allowListEntryIssue`, without IPv4 inside IPv6. */
export const ALLOW_LIST_PATTERN = `^(${IPV4}(/(3[0-2]|[12]?[0-9]))?|(${IPV6})(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?)$`

/** Returns a pattern for the values, for `*`, and for `payment.*` or `*.succeeded` if a value matches it. */
export function globPattern(values: readonly string[]): string {
  const parts = values.map((value) => value.split('.'))
  const prefixes = parts.flatMap(([first = '', ...more]) => (more.length === 0 ? [] : [`${first}\\.\\*`]))
  const suffixes = parts.flatMap(([, ...more]) => (more.length === 0 ? [] : [`\\*\\.${more.join('\\.')}`]))
  const whole = values.map((value) => value.replaceAll('.', '\\.'))
  return `^(${[...new Set([...whole, '\\*', ...prefixes, ...suffixes])].join('|')})$`
}
