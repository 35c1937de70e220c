// Which texts of a recording are known to be harmless. All others are replaced, because no list can name every secret.
import { fieldKind } from './personal-fields.ts'
import { snakeCase } from './snake-case.ts'

const UUID = String.raw`[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`
const TIME = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d))?`
/** Letters and a number, such as `A-1042` or `v2`. Not `hunter2`. */
const NUMBERED = String.raw`(?:[A-Za-z]{1,2}|[A-Za-z]{1,8}[-_.:#/])\d{1,13}(?:[-_.:#/]\d{1,13}){0,2}`
/** At most six digits, such as `42` or `1.0.3`, or an amount such as `1500.00`, because phones, documents and dates of birth have more. */
const SHORT_NUMBER = String.raw`-?(?:\d[-_.:/]?){1,5}\d|-?\d|-?\d{1,12}\.\d\d`

/** Texts that are harmless in any field whose name does not say otherwise. */
const ANYWHERE = new RegExp(
  `^(?:${UUID}|${TIME}|${NUMBERED}|${SHORT_NUMBER}|evt_[\\da-z]{1,40}|true|false|[^\\p{L}\\p{N}]*)$`,
  'u',
)

/** An id has a digit. One without a digit may be a name. */
const ID = /^(?=.*\d)(?!.*(?:secret|token|key))#?[\w.+/-]{1,128}$/i
/** A word of a protocol. Names of persons begin with a capital. */
const CODE = /^(?:[a-z\d][a-z\d_.:@-]{0,63}|[A-Z\d_]{1,32}|[a-z]{2}-[A-Z]{2})$/
const TITLE = /^[^\r\n]{1,100}$/

/** Fields of the service's API with texts that only the service or the shop's program chooses. Names are in snake case, after the name of the object around them. */
const FIELDS: readonly (readonly [name: RegExp, form: RegExp])[] = [
  [/[._](id|rrn|bank_ref|idempotency_key)$/, ID],
  [/[._](status|type|kind|event|mode|method|currency|country|locale|version|state|result|outcome)$/, CODE],
  [/[._](stage|cause|action|payment_system|simulate|simulator|simulator_outcome)$/, CODE],
  [/[._](failure|error|status|country|currency|reason|result|response)_code$|\.code$/, CODE],
]

/** Fields with the names of companies. */
const COMPANIES =
  /[._](((shop|terminal|merchant|bank)_name)|payer_bank|card_brand|brand)$|(^|_)(banks|items)\.name(_en)?$/

/** Fields with sentences that the service wrote. They may quote values of the request. */
const SENTENCES = /errors?\.(message|detail)$|\.(failure_message|failure_reason|fail_reason|error_description)$/

/**
 * Whether the text of a field can stay as it is.
 * @param path its keys, from the outside
 */
export function isKeptText(path: readonly string[], text: string): boolean {
  const kind = fieldKind(path)
  if (kind === 'secret') return false
  const field = fieldName(path)
  if (COMPANIES.test(field)) return TITLE.test(text)
  if (kind === 'code_or_text') return CODE.test(text) && text === text.toLowerCase()
  if (kind !== undefined && kind !== 'card') return false
  return ANYWHERE.test(text) || FIELDS.some(([pattern, form]) => pattern.test(field) && form.test(text))
}

/** Returns the last two names of a path, such as `error.message`. */
function fieldName(path: readonly string[]): string {
  return path.length === 1 ? `.${snakeCase(path[0] ?? '')}` : path.slice(-2).map(snakeCase).join('.')
}

/** Whether the service wrote a sentence in the field. */
export function isSentenceField(path: readonly string[]): boolean {
  return SENTENCES.test(fieldName(path))
}

/** Whether the text can be a part of a path, or the name of an event in a stream. */
export function isProtocolWord(text: string): boolean {
  return ANYWHERE.test(text) || /^[a-z]{1,20}(?:[_.-][a-z]{1,20}){0,4}$/.test(text)
}

/** Whether the key looks like an identifier of a program. */
export function isIdentifier(key: string): boolean {
  return ANYWHERE.test(key) || (/^[\p{L}\d_$.:/[\]-]{1,64}$/u.test(key) && key.replace(/\D/g, '').length < 7)
}
