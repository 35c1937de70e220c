// The rule of a recording: a value is kept only if this file says that it is harmless. Every other value is replaced.
//
// 1. Plain words are kept everywhere: in names of fields, statuses, codes and messages. See plain-words.ts.
// 2. Ids in a form of a service are kept everywhere.
// 3. A field that this file names keeps values of one form.
//
// The names of personal and secret fields are in personal-fields.ts. Their values are always replaced.
import { bankDirectory } from '../domain/bank.ts'
import { fieldKind } from './personal-fields.ts'
import { isPlain } from './plain-words.ts'
import { snakeCase } from './snake-case.ts'

type Form = (text: string) => boolean

const form =
  (pattern: RegExp): Form =>
  (text) =>
    pattern.test(text)

/** Two runs of digits with other characters after them. A word with a number, such as `hunter2`, has only one. */
const MIXED = String.raw`(?=(?:[^\W\d]*\d+[^\W\d]+){2})`

/** A UUID, or the id of a service with the prefix of a thing: `evt_0ahimrse7ss0wom3ai5aod8g`. */
const isId = form(
  new RegExp(
    [
      String.raw`^(?:(?:[a-z]{2}[-_])?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|evt_[\da-z]{20,40}`,
      String.raw`(?:evt|ord|order|pay|pi|seti|ch|re|rfnd|po|tr|txn|in|inv|dp|req|sub|prod|price)_(?:${MIXED}[A-Za-z\d]{14,40}|\d{1,3}))$`,
    ].join('|'),
    'i',
  ),
)

/** Parts such as `A`, `1042` and `INV7`: a plain word or at most three letters, then at most seven digits or the time of its creation. */
const isOrderNumber: Form = (text) =>
  /^#?[A-Za-z\d]+(?:[-_./:#][A-Za-z\d]+){0,5}$/.test(text) &&
  text.length <= 40 &&
  /\d/.test(text) &&
  (text.match(/[A-Za-z\d]+/g) ?? []).every((part) => {
    const [, letters] = /^([A-Za-z]*)(?:\d{1,7}|1[5-9]\d{8}(?:\d{3})?)?$/.exec(part) ?? []
    return letters !== undefined && (letters.length <= 3 || isPlain(letters))
  })

/** Digits, capitals or hexadecimal digits, as services generate them. */
const isServiceId = form(new RegExp(String.raw`^(?:\d{1,20}|\d{15}[A-Z\d]|${MIXED}(?:[A-Z\d]{14,26}|[\da-f]{24,64}))$`))

/** Before 2010, a date may be a date of birth. Go writes the first day of the year 1 for no time. */
const TIME =
  /^(?:0001|19[67]0(?=-01-01T00)|20[1-9]\d)-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?$|^(?:0|1[2-9]\d{8}(?:\d{3})?(?:\.\d{1,6})?)$/
const AMOUNT = /^-?\d{1,13}(?:\.\d{1,8})?$/
const COUNT = /^-?\d{1,6}(?:\.\d{1,3})?$/
/** A word of a protocol, which may be unknown. Names of persons begin with a capital. */
const CODE = /^(?!(?:.*\d){4})(?:[a-z\d]+(?:[_.:-][a-z\d]+){0,9}|[A-Z\d]+(?:_[A-Z\d]+){0,9})$/

/** Things with an id that only a program chooses. Ids of persons and devices are replaced. */
const SERVICE_THINGS =
  'payment|payment_intent|refund|payout|charge|transaction|operation|capture|transfer|dispute|subscription|event|evt|request|correlation|trace|psp|network|authorization|balance_transaction|rebill|deal|receipt'
const SHOP_THINGS = 'order|invoice|cart|basket|purchase|reference|ref|shipment|product|sku|price|plan|item'
const ID_WORD = '(?:s?[._]?(?:id|ids|number|no|ref|reference|uuid)|s)?$'

/** The names of banks in the directory. The name of another bank may be the name of a person. */
const BANK_NAMES: ReadonlySet<string> = new Set(bankDirectory('full').flatMap(({ name, name_en }) => [name, name_en]))

/** Fields of payment services by their name in snake case, after the name of the object around it. */
const FIELDS: readonly (readonly [name: RegExp, form: Form])[] = [
  [/(^|[._])(bank|member)_id$/, form(/^\d{12}$/)],
  [/[._](rrn|arn|bank_ref)$|(^|[._])(merchant|shop|terminal|store)_id$/, isServiceId],
  [/(^|[._])psp_reference$/, form(/^[A-Z\d]{16}$/)],
  [/^\.id$|^(data|object|payload|resource|item|entity|link|line|unit)s?\.id$/, isServiceId],
  [new RegExp(`(^|[._])(${SHOP_THINGS})${ID_WORD}`), isOrderNumber],
  [new RegExp(`(^|[._])(${SERVICE_THINGS})${ID_WORD}`), isServiceId],
  [
    /(^|[._])((error|failure|decline|reason|result|response|status|refusal|bank)_code(_raw)?|errors?\.code|failure\.code)$/,
    form(new RegExp(`${CODE.source}|^[A-Z]{0,3}\\d{1,5}$`)),
  ],
  [
    /(^|[._])(status|type|kind|event|event_code|mode|method|object|cause|outcome|payment_system|simulator|simulate)$/,
    form(CODE),
  ],
  [/(^|[._])((http_)?status(_code)?|http_code)$/, form(/^[1-5]\d\d$/)],
  [/(^|[._])currency(_code)?$/, form(/^(?:[A-Za-z]{3}|[A-Z]{4}|\d{3})$/)],
  [/(^|[._])(country|locale|language|lang)s?(_code)?$/, form(/^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$|^[A-Z]{2,3}$/)],
  [/(^|[._])version$/, form(/^v?\d{1,4}(?:[.-]\d{1,4}){0,3}$/)],
  [
    /(^|[._])(at|time|timestamp|ts|date|datetime|until|created|updated|expires|expiry|start|end|iat|exp|nbf)$/,
    form(TIME),
  ],
  [
    /(^|[._])(amount(_\w+)?|total(_\w+)?|subtotal|balance|price|sum|fee|fees|rate|gross|net|refunded|captured|discount|surcharge|commission|(amount|total|fee|price|rate)s?\.(value|\w+_value))$/,
    form(AMOUNT),
  ],
  [
    /(^|[._])(count|quantity|qty|page|per_page|size|offset|limit|length|attempts?|retry|retries|timeout|ttl|ms|seconds|minutes|hours|days|expires_in|percent|precision|exponent|decimals|min|max|minimum|maximum|sequence|depth|installments)$/,
    form(COUNT),
  ],
  [/(^|[._])((payer_)?bank(_name)?|(banks|items)\.name)(_en)?$/, (text) => BANK_NAMES.has(text)],
]

/** Fields with sentences of a service, which may quote values of a request. Their plain words are kept. */
const SENTENCES =
  /(^|[._])(message|details?|(details|errors?)\.description|(error|failure|fail|decline|refusal)_(reason|description))$|_message$/

/** Whether a text is harmless in a place without a name. */
export function isHarmless(text: string): boolean {
  return isId(text) || isPlain(text)
}

/**
 * Whether the text or the number of a field can stay as it is.
 * @param path its keys, from the outside
 */
export function isKeptText(path: readonly string[], text: string): boolean {
  const kind = fieldKind(path)
  if (kind !== undefined && kind !== 'code') return false
  if (isHarmless(text)) return true
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
