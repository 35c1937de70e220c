// Which fields contain personal data or secrets, by their names.
import { snakeCase } from './snake-case.ts'

/** The content of a field, which decides how it is replaced. `code_or_text` is text unless it looks like a code, such as `fraud_check`. */
export type FieldKind = 'secret' | 'card' | 'name' | 'phone' | 'email' | 'mask' | 'text' | 'code_or_text'

/** The first row that matches applies. Names are in snake case. */
const FIELDS: readonly (readonly [kind: FieldKind, name: RegExp])[] = [
  [
    'secret',
    /(^|_)(password|passwd|passphrase|secret|token|(api|access|private|secret|signing|session)_?key|authorization|credentials?|cookie|session_?id|jwt|signature|cv[vc]2?|otp|pin_?code)$/,
  ],
  ['mask', /(^|_)mask$|^masked_/],
  ['card', /^(pan|card_?(number|pan)|customer_card_number)$/],
  ['phone', /(^|_)(phone|phone_number|telephone|tel|msisdn|mobile)$/],
  ['email', /(^|_)e_?mail(_address)?$/],
  [
    'name',
    /^((full|first|last|middle|given|family|birth|display|customer|payer|recipient|buyer|client|contact|beneficiary|person|user)_?)+name$|(^|_)(surname|patronymic|fio|holder|cardholder)$/,
  ],
  ['text', /(^|_)(description|comment|note|notes|memo|remark|purpose|address|street)$/],
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
  if (key === 'name' && PERSONS.test(snakeCase(parent))) return 'name'
  return FIELDS.find(([, pattern]) => pattern.test(key))?.[0]
}
