// The rule of a recording: a value is kept only if this file says that it is harmless. Every other value is replaced.
//
// 1. Plain words are kept everywhere, if their form is that of a field, a code or a message, and not that of a name. See plain-words.ts.
// 2. Ids in a form of a service are kept everywhere.
// 3. A field that this file names keeps values of one form.
//
// The names of personal and secret fields are in personal-fields.ts. Their values are always replaced.
import { bankDirectory } from '../domain/bank.ts'
import { isCurrencyCode } from '../domain/currency.ts'
import { fieldKind } from './personal-fields.ts'
import { isPlainCode, isPlainToken } from './plain-words.ts'
import { snakeCase } from './snake-case.ts'

type Form = (text: string) => boolean

const form =
  (pattern: RegExp): Form =>
  (text) =>
    pattern.test(text)

/** Two runs of digits with other characters after them. A word with a number, such as `hunter2`, has only one. */
const MIXED = String.raw`(?=(?:[^\W\d]*\d+[^\W\d]+){2})`

/** Whether a text is a UUID, or the id of a service with the prefix of a thing: `evt_0ahimrse7ss0wom3ai5aod8g`. */
export const isId = form(
  new RegExp(
    [
      String.raw`^(?:(?:[a-z]{2}[-_])?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|evt_[\da-z]{20,40}`,
      String.raw`(?:evt|ord|order|pay|pi|seti|ch|re|rfnd|po|tr|txn|in|inv|dp|req|sub|prod|price)_(?:${MIXED}[A-Za-z\d]{14,40}|\d{1,3}))$`,
    ].join('|'),
    'i',
  ),
)

/**
 * A word for an order or at most two letters, then too few digits for a phone or a document: `A-1042`. More digits are the year or the time of
 * the order: `ORD-2024-000123`.
 */
const isOrderNumber: Form = (text) => {
  if (/^#?\d{1,8}$/.test(text)) return true
  const [, letters = '', gap, digits = ''] =
    /^#?([A-Za-z]{1,12})([-_#/.]?)(\d{1,8}|20\d\d[-_/]?\d{1,8}|1[5-9]\d{8}(?:\d{3})?)$/.exec(text) ?? []
  if (gap === undefined) return false
  return ORDER_WORD.test(letters) || (/^(?:[A-Z]{1,2}|[a-z]{1,2})$/.test(letters) && digits.length <= 6)
}
const ORDER_WORD = /^(?:ord|orders?|inv|invoice|cart|basket|purchase|ref|reference|zakaz)$/i

/** Digits, capitals or hexadecimal digits, as services generate them. Nine to eleven digits may be a phone or a document. */
const isServiceId = form(
  new RegExp(String.raw`^(?:\d{1,8}|\d{12,20}|\d{15}[A-Z\d]|${MIXED}(?:[A-Z\d]{14,26}|[\da-f]{24,64}))$`),
)

/** Before 2010, a date may be a date of birth. Go writes the first day of the year 1 for no time. */
const TIME =
  /^(?:0001|19[67]0(?=-01-01T00)|20[1-9]\d)-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?$|^(?:0|1[2-9]\d{8}(?:\d{3})?(?:\.\d{1,6})?)$/
const isAmountText: Form = (text) =>
  /^-?\d{1,16}(?:\.\d{1,8})?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER
const COUNT = /^-?\d{1,6}(?:\.\d{1,3})?$/
/** Things with an id that only a program chooses. Ids of persons and devices are replaced. */
const SERVICE_THINGS =
  'payment|payment_intent|refund|payout|charge|transaction|operation|capture|transfer|dispute|subscription|event|evt|request|correlation|trace|psp|network|authorization|balance_transaction|rebill|deal|receipt'
const ID_WORD = '(?:s?[._]?(?:id|ids|number|no|ref|reference|uuid)|s)?$'

/** Fields with the number that a shop gives to an order. An order of a person, as in `user_ref`, may have the number of the person. */
const ORDER =
  /(^|\.)((merchant_)?(order|invoice|cart|basket|purchase)s?([._](id|ids|number|no|ref|reference))?|(merchant_|order_)?ref(erence)?)$/
/** Fields with one of the codes of a service. */
const CODES =
  /(^|[._])(status|type|kind|event|event_code|mode|method|object|cause|outcome|intent|state|result|payment_system|simulator|simulate|(error|failure|decline|reason|result|response|status|refusal|bank)_code(_raw)?|errors?\.code|failure\.code)$/
const AMOUNTS =
  /(^|[._])(amount(_\w+)?|total(_\w+)?|subtotal|balance|price|sum|fee|fees|rate|gross|net|refunded|captured|discount|surcharge|commission|(amount|total|fee|price|rate)s?\.(value|\w+_value))$/

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCurrency: Form = (text) =>
  /^(?:[A-Z]+|[a-z]+)$/.test(text) && (isCurrencyCode(text.toUpperCase()) || /^usdt$/i.test(text))
const isCountry: Form = (text) => /^[A-Z]{2}$/.test(text) && REGIONS.of(text) !== undefined
const isLocale: Form = (text) => {
  const [, language, region] = /^([a-z]{2})(?:[-_]([A-Z]{2}))?$/.exec(text) ?? []
  return language !== undefined && LANGUAGES.of(language) !== undefined && (region === undefined || isCountry(region))
}

/** The names of banks in the directory. The name of another bank may be the name of a person. */
const BANK_NAMES: ReadonlySet<string> = new Set(bankDirectory('full').flatMap(({ name, name_en }) => [name, name_en]))

/** Fields of payment services by their name in snake case, after the name of the object around it. */
const FIELDS: readonly (readonly [name: RegExp, form: Form])[] = [
  [/(^|[._])(bank|member)_id$/, form(/^1000000\d{5}$/)],
  [/[._](rrn|arn|bank_ref)$|(^|[._])(merchant|shop|terminal|store)_id$/, isServiceId],
  [/(^|[._])psp_reference$/, form(/^[A-Z\d]{16}$/)],
  [/^\.id$|^(data|object|payload|resource|item|entity|link|line|unit)s?\.id$/, isServiceId],
  [ORDER, isOrderNumber],
  [new RegExp(`(^|[._])(${SERVICE_THINGS})${ID_WORD}`), isServiceId],
  [CODES, isPlainToken],
  [
    /(^|[._])((error|failure|decline|reason|result|response|status|refusal|bank)_code(_raw)?|errors?\.code|failure\.code)$/,
    form(/^[A-Z]{0,3}\d{1,5}$/),
  ],
  [/(^|[._])((http_)?status(_code)?|http_code)$/, form(/^[1-5]\d\d$/)],
  [/(^|[._])currency(_code)?$/, isCurrency],
  [/(^|[._])(locale|language|lang)s?(_code)?$/, isLocale],
  [/(^|[._])countr(y|ies)(_code)?$/, isCountry],
  [/(^|[._])(shop|terminal)_name$/, form(/^Local shop$/)],
  [/(^|[._])version$/, form(/^v?\d{1,4}(?:[.-]\d{1,4}){0,3}$/)],
  [
    /(^|[._])(at|time|timestamp|ts|date|datetime|until|created|updated|expires|expiry|start|end|iat|exp|nbf)$/,
    form(TIME),
  ],
  [AMOUNTS, isAmountText],
  [
    /(^|[._])(count|quantity|qty|page|per_page|size|offset|limit|length|attempts?|retry|retries|timeout|ttl|ms|seconds|minutes|hours|days|expires_in|percent|precision|exponent|decimals|min|max|minimum|maximum|sequence|depth|installments)$/,
    form(COUNT),
  ],
  [/(^|[._])((payer_)?bank(_name)?|(banks|items)\.name)(_en)?$/, (text) => BANK_NAMES.has(text)],
]

/** Fields with sentences of a service, which may quote values of a request. Their plain words are kept. */
const SENTENCES =
  /(^|\.)(message|details?)$|(^|[._])((details|errors?)\.description|(error|failure|fail|decline|refusal|response|status|result)_(reason|description|message))$/

/** Whether a text is harmless in a place without a name. */
export function isHarmless(text: string): boolean {
  return isId(text) || isPlainToken(text)
}

/** Whether the text or the number is an amount in a field for amounts. It is not a card number, even if its digits could be one. */
export function isAmount(path: readonly string[], text: string): boolean {
  return isAmountText(text) && fieldKind(path) === undefined && AMOUNTS.test(fieldName(path))
}

/** Whether a program writes one token without spaces in the field. */
export function isTokenField(path: readonly string[]): boolean {
  const name = fieldName(path)
  return CODES.test(name) || ORDER.test(name) || /[._](id|code|key)$/.test(name)
}

/**
 * Whether the text or the number of a field can stay as it is.
 * @param path its keys, from the outside
 */
export function isKeptText(path: readonly string[], text: string): boolean {
  const kind = fieldKind(path)
  if (kind !== undefined && kind !== 'code') return false
  if (isPlainCode(text)) return true
  // A code for one use can be a UUID.
  if (isId(text)) return kind === undefined
  const name = fieldName(path)
  return FIELDS.some(([pattern, isForm]) => pattern.test(name) && isForm(text))
}

/** Whether the service wrote a sentence in the field. */
export function isSentenceField(path: readonly string[]): boolean {
  return SENTENCES.test(fieldName(path))
}

/** Returns the last two names of a path, such as `error.message`. */
function fieldName(path: readonly string[]): string {
  return path.length === 1 ? `.${snakeCase(path[0] ?? '')}` : path.slice(-2).map(snakeCase).join('.')
}
