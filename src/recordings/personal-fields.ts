// Which fields contain personal data or secrets, by their names.
import { snakeCase } from './snake-case.ts'

/** The content of a field, which decides how it is replaced. `code_or_text` is text unless it looks like a code, such as `fraud_check`. */
export type FieldKind =
  | 'secret'
  | 'card'
  | 'name'
  | 'phone'
  | 'email'
  | 'mask'
  | 'birth_date'
  | 'document'
  | 'text'
  | 'code_or_text'

/** The first row that matches applies. Names are in snake case. */
const FIELDS: readonly (readonly [kind: FieldKind, name: RegExp])[] = [
  [
    'secret',
    /(^|_)(password|passwd|passphrase|passw?|pwd|secret|tokens?|(api|access|private|secret|signing|session)_?key|authorization|credentials?|cookies?|session(_?id)?|jwt|signature|sig|cv[vc]2?|otp|pin(_?code)?|track_?[123]?(_?data)?|пароль)$/,
  ],
  ['mask', /(^|_)mask$|^masked_/],
  ['card', /^(pan|card_?(number|pan)|customer_card_number)$/],
  ['phone', /(^|_)(phone|phone_number|telephone|tel|msisdn|mobile|телефон)$/],
  ['email', /(^|_)(e_?mail(_address)?|почта)$/],
  [
    'name',
    /(^|_)(full|first|last|middle|given|family|birth|maiden|display|customer|payer|recipient|buyer|client|contact|beneficiary|person|user|sender|receiver|owner|holder|cardholder|guest|passenger|employee|member)_?name$|^name_on_card$|(^|_)(surname|patronymic|fio|[fl]name|holder|cardholder|фио|имя|фамилия|отчество)$|^имя_/,
  ],
  ['birth_date', /(^|_)(birth_?(date|day)|date_of_birth|dob|дата_рождения)$/],
  ['document', /(^|_)(iban|inn|snils|ssn|tax_?id|passport(_?(number|no|series))?|account_number|инн|снилс|паспорт)$/],
  ['text', /(^|_)(description|comment|note|notes|memo|remark|purpose|address|street|адрес)$/],
  ['code_or_text', /^reason$/],
]

/** Objects that describe a person, so their `name` is a name of a person. */
const PERSONS =
  /(^|_)(customer|buyer|payer|recipient|client|user|person|contact|beneficiary|cardholder|holder|sender|receiver|owner|guest|passenger|employee|member|billing(_details|_address)?|shipping(_details|_address)?)$/

/** Objects whose `name` is not that of a person, although they may have a phone. */
const COMPANIES = /(^|_)(shop|store|merchant|terminal|bank|company|organi[sz]ation|service|branch|product|item)s?$/

/** Fields that contain the value of the object around them, as in `"phone":{"number":"…"}`. */
const INNER = /^(value|number|raw|formatted|text|content|full)$/

const MAX_REMEMBERED = 5000
const known = new Map<string, FieldKind | undefined>()

/**
 * Returns what a field contains, or `undefined` if its name does not say it.
 * @param path its keys, from the outside
 * @param hasContact whether the object of the field also contains a phone, an email or the like
 */
export function fieldKind(path: readonly string[], hasContact = false): FieldKind | undefined {
  const name = path.at(-1) ?? ''
  const parent = path.at(-2) ?? ''
  const id = `${hasContact}\0${parent}\0${name}`
  // Names repeat, and there are many rules.
  if (known.has(id)) return known.get(id)
  const kind = computedKind(snakeCase(name), snakeCase(parent), hasContact)
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(id, kind)
  return kind
}

function computedKind(name: string, parent: string, hasContact: boolean): FieldKind | undefined {
  if (name === 'id' && parent === 'session') return 'secret'
  if (parent === 'cookies' || parent === 'set_cookies') return 'secret'
  if (name === 'name' && (PERSONS.test(parent) || (hasContact && !COMPANIES.test(parent)))) return 'name'
  return kindOfName(name) ?? (INNER.test(name) ? kindOfName(parent) : undefined)
}

function kindOfName(name: string): FieldKind | undefined {
  return FIELDS.find(([, pattern]) => pattern.test(name))?.[0]
}
