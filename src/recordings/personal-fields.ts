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
    /(^|_)(password|passwd|passphrase|passw?|pwd|secret|tokens?|(api|access|private|secret|signing|session)_?key|authorization|credentials?|cookie|session(_?id)?|jwt|signature|sig|cv[vc]2?|otp|pin(_?code)?|track_?[123]?(_?data)?|пароль)$/,
  ],
  ['mask', /(^|_)mask$|^masked_/],
  ['card', /^(pan|card_?(number|pan)|customer_card_number)$/],
  ['phone', /(^|_)(phone|phone_number|telephone|tel|msisdn|mobile|телефон)$/],
  ['email', /(^|_)(e_?mail(_address)?|почта)$/],
  [
    'name',
    /^((full|first|last|middle|given|family|birth|display|customer|payer|recipient|buyer|client|contact|beneficiary|person|user)_?)+name$|(^|_)(surname|patronymic|fio|holder|cardholder|фио|имя|фамилия|отчество)$/,
  ],
  ['birth_date', /(^|_)(birth_?(date|day)|date_of_birth|dob|дата_рождения)$/],
  ['document', /(^|_)(iban|inn|snils|ssn|tax_?id|passport(_?(number|no|series))?|account_number|инн|снилс|паспорт)$/],
  ['text', /(^|_)(description|comment|note|notes|memo|remark|purpose|address|street|адрес)$/],
  ['code_or_text', /^reason$/],
]

/** Objects that describe a person, so their `name` is a name of a person. */
const PERSONS = /^(customer|buyer|payer|recipient|client|user|person|contact|beneficiary|cardholder|sender)$/

/**
 * Returns what a field contains, or `undefined` if its name does not say it.
 * @param path its keys, from the outside
 */
export function fieldKind(path: readonly string[]): FieldKind | undefined {
  const name = path.at(-1) ?? ''
  const parent = path.at(-2) ?? ''
  const key = snakeCase(name)
  if (key === 'id' && snakeCase(parent) === 'session') return 'secret'
  if (key === 'name' && PERSONS.test(snakeCase(parent))) return 'name'
  return FIELDS.find(([, pattern]) => pattern.test(key))?.[0]
}
