// Decides which values a recording keeps. All other values are replaced.
//
// Values in secret and personal fields are replaced. personal-fields.ts lists these fields. Fields of the kind `code`,
// such as `code` and `state`, keep error codes, but not one-time codes. In all other fields, these values are kept:
// 1. Plain words, see plain-words.ts.
// 2. UUIDs, and ids whose prefix names a kind of object.
// 3. Values in the format that `FIELDS` has for the field.
// 4. Amounts in fields for amounts. See field-names.ts.
//
// With `keepsPersonalData`, masking.ts replaces only secrets, one-time codes and card numbers.

import { bankDirectory } from '../domain/bank.ts'
import { isCurrencyCode } from '../domain/currency.ts'
import { fieldName, isAmountField, isAmountInField } from '../domain/field-names.ts'
import { fieldKind } from './personal-fields.ts'
import { isPlainCode, isPlainToken } from './plain-words.ts'

type FormatCheck = (text: string) => boolean

const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text)

/** Matches if two runs of digits are each followed by a letter. A password such as `hunter2` has only one run. */
const TWO_DIGIT_RUNS = String.raw`(?=(?:[^\W\d]*\d+[^\W\d]+){2})`

/** Whether a string is a UUID, or an id whose prefix names a kind of object: `evt_0ahimrse7ss0wom3ai5aod8g`. */
export const isId: FormatCheck = (text) => EVENT_ID.test(text) || OBJECT_ID.test(text)

/** Requires a digit, because letters alone may be a name. */
const EVENT_ID = /^evt_(?=[a-z]*\d)[\da-z]{20,40}$/
const OBJECT_ID = new RegExp(
  [
    String.raw`^(?:(?:[a-z]{2}[-_])?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`,
    String.raw`(?:evt|ord|order|pay|pi|seti|ch|re|rfnd|po|tr|txn|in|inv|dp|req|sub|prod|price)_(?:${TWO_DIGIT_RUNS}[A-Za-z\d]{14,40}|\d{1,3}))$`,
  ].join('|'),
  'i',
)

/**
 * An order number is a word for an order, or at most two letters, and then digits: `A-1042`. There are too few digits
 * for a phone or a document: at most six apart from leading zeros, and at most five after one or two letters. After a
 * word, the digits may also begin with the year or be a time.
 */
const isOrderNumber: FormatCheck = (text) => {
  const [, letters = '', gap, digits = ''] =
    /^#?([A-Za-z]{0,12})([-_#/.]?)((?:00+)?\d{1,6}|20\d\d[-_/]?\d{1,8}|1[5-9]\d{8}(?:\d{3})?)$/.exec(text) ?? []
  if (gap === undefined || text.length > LONGEST_ORDER) return false
  if (ORDER_WORD.test(letters)) return true
  return letters === ''
    ? gap === '' && /^0*\d{1,6}$/.test(digits)
    : /^(?:[A-Z]{1,2}|[a-z]{1,2})$/.test(letters) && digits.length <= 5
}
const LONGEST_ORDER = 30
const ORDER_WORD = /^(?:ord|orders?|inv|invoice|cart|basket|purchase|ref|reference|zakaz)$/i

/**
 * An id that a service generated: only digits, capitals with digits, or hexadecimal digits. Nine to eleven digits are
 * not kept, because they may be a phone or a document.
 */
const isServiceId = matching(
  new RegExp(String.raw`^(?:\d{1,8}|\d{12,20}|\d{15}[A-Z\d]|${TWO_DIGIT_RUNS}(?:[A-Z\d]{14,26}|[\da-f]{24,64}))$`),
)

/**
 * Times since 2010, because earlier ones may be dates of birth. Also values that mean no time, such as Go's zero time.
 */
const isTime: FormatCheck = (text) => DATE.test(text) || text === '0' || isUnixTime(text)
const DATE =
  /^(?:0001|19[67]0(?=-01-01T00)|20[1-9]\d)-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?$/
/** In seconds or milliseconds. */
const isUnixTime: FormatCheck = (text) => Number(/^(1\d{9})(?:\d{3})?(?:\.\d{1,6})?$/.exec(text)?.[1]) >= SECONDS_2010
const SECONDS_2010 = 1_262_304_000
const COUNT = /^-?\d{1,6}(?:\.\d{1,3})?$/
/** Objects whose ids only a program chooses. Ids of persons and devices are replaced. */
const SERVICE_OBJECTS =
  'payment|payment_intent|refund|payout|charge|transaction|operation|capture|transfer|dispute|subscription|event|evt|request|correlation|trace|psp|network|authorization|balance_transaction|rebill|deal|receipt'
const ID_WORD = '(?:s?[._]?(?:id|ids|number|no|ref|reference|uuid)|s)?$'

/**
 * Fields with the order number of a shop. A field such as `user_ref` may identify a person, so it is not one of them.
 */
const ORDER =
  /(^|\.)((merchant_)?(order|invoice|cart|basket|purchase)s?([._](id|ids|number|no|ref|reference))?|(merchant_|order_)?ref(erence)?)$/
/** Fields with one of the codes of a service. */
const CODES =
  /(^|[._])(status|type|kind|event|event_code|mode|method|object|cause|outcome|intent|state|result|payment_system|simulator|simulate|(error|failure|decline|reason|result|response|status|refusal|bank)_code(_raw)?|errors?\.code|failure\.code)$/

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCurrency: FormatCheck = (text) =>
  /^(?:[A-Z]+|[a-z]+)$/.test(text) && (isCurrencyCode(text.toUpperCase()) || /^usdt$/i.test(text))
const isCountry: FormatCheck = (text) => /^[A-Z]{2}$/.test(text) && REGIONS.of(text) !== undefined
const isLocale: FormatCheck = (text) => {
  const [, language, region] = /^([a-z]{2})(?:[-_]([A-Z]{2}))?$/.exec(text) ?? []
  return language !== undefined && LANGUAGES.of(language) !== undefined && (region === undefined || isCountry(region))
}

/** The names of banks in the directory. The name of another bank may be the name of a person. */
const BANK_NAMES: ReadonlySet<string> = new Set(bankDirectory('full').flatMap(({ name, name_en }) => [name, name_en]))

/** The fields with a format, by the name of their object and their name in snake case: `data.id`. */
const FIELDS: readonly (readonly [name: RegExp, hasFormat: FormatCheck])[] = [
  [/(^|[._])(bank|member)_id$/, matching(/^1000000\d{5}$/)],
  [/[._](rrn|arn|bank_ref)$|(^|[._])(merchant|shop|terminal|store)_id$/, isServiceId],
  [/(^|[._])psp_reference$/, matching(/^[A-Z\d]{16}$/)],
  [/^\.id$|^(data|object|payload|resource|item|entity|link|line|unit)s?\.id$/, isServiceId],
  [ORDER, isOrderNumber],
  [new RegExp(`(^|[._])(${SERVICE_OBJECTS})${ID_WORD}`), isServiceId],
  [CODES, isPlainToken],
  [
    /(^|[._])((error|failure|decline|reason|result|response|status|refusal|bank)_code(_raw)?|errors?\.code|failure\.code)$/,
    matching(/^[A-Z]{0,3}\d{1,5}$/),
  ],
  [/(^|[._])((http_)?status(_code)?|http_code)$/, matching(/^[1-5]\d\d$/)],
  [/(^|[._])currency(_code)?$/, isCurrency],
  [/(^|[._])(locale|language|lang)s?(_code)?$/, isLocale],
  [/(^|[._])countr(y|ies)(_code)?$/, isCountry],
  [/(^|[._])(shop|terminal)_name$/, matching(/^Local shop$/)],
  [/(^|[._])version$/, matching(/^v?\d{1,4}(?:[.-]\d{1,4}){0,3}$/)],
  [/(^|[._])(at|time|timestamp|ts|date|datetime|until|created|updated|expires|expiry|start|end|iat|exp|nbf)$/, isTime],
  [
    /(^|[._])(count|quantity|qty|page|per_page|size|offset|limit|length|attempts?|retry|retries|timeout|ttl|ms|seconds|minutes|hours|days|expires_in|percent|precision|exponent|decimals|min|max|minimum|maximum|sequence|depth|installments)$/,
    matching(COUNT),
  ],
  [/(^|[._])((payer_)?bank(_name)?|(banks|items)\.name)(_en)?$/, (text) => BANK_NAMES.has(text)],
]

/** Fields with sentences that the service wrote. They may quote values of a request, so only plain words are kept. */
const SENTENCES =
  /(^|\.)(message|details?)$|(^|[._])((details|errors?)\.description|(error|failure|fail|decline|refusal|response|status|result)_(reason|description|message))$/

/** Whether a string without a field name can be kept, such as a part of a path or a key. */
export function isHarmless(text: string): boolean {
  return isId(text) || isPlainToken(text)
}

/** Whether the value is an amount in a field for amounts. It is kept even if its digits could be a card number. */
export function isAmount(path: readonly string[], text: string): boolean {
  return fieldKind(path) === undefined && isAmountInField(path, text)
}

/** Whether the field is for amounts, and has no secret or personal data. */
export function isMoneyField(path: readonly string[]): boolean {
  return fieldKind(path) === undefined && isAmountField(path)
}

/** Whether the field contains one token without spaces, such as a code or an id. */
export function isTokenField(path: readonly string[]): boolean {
  const name = fieldName(path)
  return CODES.test(name) || ORDER.test(name) || /[._](id|code|key)$/.test(name)
}

/**
 * Whether the string or the number in a field is kept.
 * @param path the keys of the field, the outermost first
 */
export function isKeptText(path: readonly string[], text: string): boolean {
  const kind = fieldKind(path)
  if (kind !== undefined && kind !== 'code') return false
  if (isPlainCode(text)) return true
  // A one-time code can be a UUID.
  if (isId(text)) return kind === undefined
  const name = fieldName(path)
  return isAmountInField(path, text) || FIELDS.some(([pattern, hasFormat]) => pattern.test(name) && hasFormat(text))
}

/** Whether the service wrote a sentence in the field. */
export function isSentenceField(path: readonly string[]): boolean {
  return SENTENCES.test(fieldName(path))
}
