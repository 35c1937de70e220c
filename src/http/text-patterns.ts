// Regular expressions of texts that a parser reads, for the OpenAPI documents. The parsers are in the domain.
import { CURRENCY_CODES } from '../domain/currency.ts'
import { FAILURE_CODE_NAMES } from '../domain/failure-codes.ts'
import { FAULT_VALUE_KINDS } from '../domain/fault-forms.ts'
import { FAULT_TARGETS, type FaultTarget } from '../domain/faults.ts'
import { PLANNED_ERRORS } from '../domain/simulator-plan.ts'

/** Up to five parts, each below 7000 days, so that no sum exceeds the limit of 36500 days. The limit itself is valid. */
const DURATION =
  '(36500d|([1-6]?[0-9]{1,3}(\\.[0-9]{1,9})?d|[0-9]{1,5}(\\.[0-9]{1,9})?h|[0-9]{1,7}(\\.[0-9]{1,9})?m|[0-9]{1,8}(\\.[0-9]{1,9})?s|[0-9]{1,11}(\\.[0-9]{1,9})?ms){1,5})'

/** `parseDuration`. It also reads rarer texts, such as `36000d500d`. */
export const DURATION_PATTERN = `^${DURATION}$`

const CODE = `(${FAILURE_CODE_NAMES.join('|')})`

/** `parsePlan`. */
export const PLAN_PATTERN = `^(succeeded|requires_action|pending|cut|(failed|refused)(:${CODE})?|error:(${PLANNED_ERRORS.join('|')}))(@${DURATION})?$`

const VALUES = { duration: DURATION, status: '[45][0-9]{2}', count: '[1-9][0-9]{0,3}' } as const

/** `parseFault`. */
export function faultPattern(target: FaultTarget): string {
  const forms = FAULT_TARGETS[target].map((name) => {
    const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
    return kind === undefined ? name : `${name}:${VALUES[kind]}`
  })
  return `^(${forms.join('|')})$`
}

/** `parseInstant` reads what `date-time` allows, with a fraction of at most nine digits. */
export const INSTANT_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$'

/** `isHttpUrl`, without a user name and password, for hosts in ASCII. */
export const HTTP_URL_PATTERN = '^https?://([A-Za-z0-9_.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?([/?#][!-~]*)?$'

/** `isCurrencyCode`. */
export const CURRENCY_PATTERN = `^(${CURRENCY_CODES.join('|')})$`
