// Which texts of a recording are known to be harmless. All others are replaced, because no list can name every secret.
import { fieldKind } from './personal-fields.ts'
import { snakeCase } from './snake-case.ts'

const UUID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`
const TIME = String.raw`\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?`
/** A single word of a protocol, such as `card_expired`. Names of persons begin with a capital. */
const WORD = '[a-z]{1,20}(?:[_.-][a-z]{1,20}){0,4}'
/** Letters and a number, such as `A-1042` or `v2`. Not `hunter2`. */
const NUMBERED = String.raw`(?:[A-Za-z]{1,2}|[A-Za-z]{1,8}[-_.:#/])\d{1,13}(?:[-_.:#/]\d{1,13}){0,2}`
/** At most 8 digits, such as `42` or `1.0.3`, because phones and documents have more. */
const SHORT_NUMBER = String.raw`-?(?:\d[-_.:/]?){1,7}\d|-?\d`

/** Texts that are harmless in any field whose name does not say otherwise. */
const ANYWHERE = new RegExp(
  `^(?:${UUID}|${TIME}|${WORD}|${NUMBERED}|${SHORT_NUMBER}|evt_[\\da-z]{1,40}|[^\\p{L}\\p{N}]*)$`,
  'u',
)

const ID = /^[\w.:-]{1,128}$/
const CODE = /^[\w.:@-]{1,64}$/
const TITLE = /^[^\r\n]{1,100}$/
/** A sentence without digits, and without a capital except at its beginning. */
const MESSAGE = /^\p{Lu}?[\p{Ll} ,;:'’()-]{1,200}[.!]?$/u

/** Fields of the service's API with texts that only the service or the shop's program chooses. Names are in snake case, after the name of the object around them. */
const FIELDS: readonly (readonly [name: RegExp, form: RegExp])[] = [
  [/[._](id|rrn|ref|idempotency_key)$/, ID],
  [
    /[._](status|code|type|kind|event|mode|method|currency|country|locale|brand|version|simulator|simulator_outcome)$/,
    CODE,
  ],
  [/[._]((shop|terminal|merchant|bank)_name|bank|payer_bank|card_brand|name_en)$|(^|_)banks\.name$/, TITLE],
  [/[._](message|failure_reason|fail_reason)$/, MESSAGE],
]

/** Whether the form of the text shows that it is harmless in any field. */
export function isHarmlessForm(text: string): boolean {
  return ANYWHERE.test(text)
}

/**
 * Whether the text of a field can stay as it is.
 * @param path its keys, from the outside
 */
export function isKeptText(path: readonly string[], text: string): boolean {
  const kind = fieldKind(path)
  if (kind === 'secret') return false
  if (isServiceText(path, text)) return true
  if (kind === 'code_or_text') return CODE.test(text) && text === text.toLowerCase()
  return (kind === undefined || kind === 'card') && isHarmlessForm(text)
}

/** Whether only the service or the shop's program fills the field, and the text has the expected form. */
function isServiceText(path: readonly string[], text: string): boolean {
  const field = `${snakeCase(path.at(-2) ?? '')}.${snakeCase(path.at(-1) ?? '')}`
  return FIELDS.some(([pattern, form]) => pattern.test(field) && form.test(text))
}

/** Whether the key looks like an identifier of a program. */
export function isIdentifier(key: string): boolean {
  return ANYWHERE.test(key) || (/^[\p{L}\d_$.:/[\]-]{1,64}$/u.test(key) && key.replace(/\D/g, '').length < 7)
}
