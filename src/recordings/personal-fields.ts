// The fields with secrets or personal data, by their names. The kind of a field determines what replaces its value. A
// field that is missing here is safe: it keeps only plain words and ids, and what kept-text.ts allows by its name.
import { snakeCase } from '../domain/field-names.ts'

/** The content of a field. `code` may be an error code, which is kept, or a one-time password, which is not. */
export type FieldKind = 'secret' | 'code' | 'card' | 'name' | 'phone' | 'person'

const words = (line: string) => line.split(' ')

/** Parts of the names of secret fields. */
const SECRET_PARTS = [
  'passw passphrase secret token credential cookie bearer jwt hmac cryptogram client_assertion pin_?block passcode passkey recovery',
  'cvv парол токен senha kennwort passwort mot_?de_?passe contrase(n|ñ)a wachtwoord lösenord has(l|ł)o$ parola şifre',
  '密码 密碼 パスワード 비밀번호',
].flatMap(words)
/** Words of the names of secret fields. A digit may follow. */
const SECRET_WORDS = [
  'pass pwd otp m?pin sid sig signature auth authorization(?!_(details|id)) session session_id',
  'c?c?cv[a-z]? csc card_code verification_value track_?[123]? track_?[123]?_?data',
  'psw puk totp mfa 2fa tan sms security_answer mnemonic seed_phrase verifier',
].flatMap(words)
/** Words before `key`. */
const SECRET_KEYS = words('api access private signing session encryption client rsa ssh hash')
/** Words before `code`. */
const SECRET_CODES = [
  'sms otp auth verif(y|ication) confirm(ation)? security pin access login one_time',
  'activation backup approval referral promo coupon invite gift(_card)?',
].flatMap(words)

const SECRET = new RegExp(
  [
    ...SECRET_PARTS,
    `(^|_)(${SECRET_WORDS.join('|')})(_|$|\\d)`,
    `(${SECRET_KEYS.join('|')})_?key`,
    `(${SECRET_CODES.join('|')})_?code`,
  ].join('|'),
)

/** The first row that matches applies. Names are in snake case. */
const FIELDS: readonly (readonly [kind: FieldKind, name: RegExp])[] = [
  ['secret', SECRET],
  ['card', /^(pan|card_?(number|pan)|customer_card_number)$/],
  ['code', /^(code|state|nonce|confirm|access|ticket|reset)$/],
  ['phone', /(^|_)(phones?|phone_?number|telephone|tel|msisdn|mobile|mobile_?number|телефон)$/],
  [
    'name',
    /(^|_)((first|last|middle|full|family|given|maiden|nick|user|sur|login|holder|customer|payer|buyer|recipient|contact|account|card|cardholder|owner|sender|beneficiary)_?name(_[a-z]{2})?|name_on_\w+|fio|\w*holder|login|nick|surname|patronymic|фио|имя|фамилия|отчество)$/,
  ],
  [
    'person',
    /(^|_)(birth\w*|born|bd|dob|passport\w*|description|comments?|notes?|memo|remark|address\w*|street|city|(telegram|viber|whatsapp|skype|chat)(_id)?|e_?mails?(_address)?)$|дата_рождения|адрес|почта|паспорт/,
  ],
]

/** Objects that describe a person, so that their `name` is the name of a person. */
const PERSONS =
  /(^|_)(customer|buyer|payer|recipient|client|user|person|contact|beneficiary|cardholder|sender|owner|(billing|shipping)(_details)?)s?$/

/** Objects that contain a date of birth, a document or an address in parts. */
const PERSONAL_PARTS = /birth|(^|_)(born|dob|passport|address)(_|$)/
const COUNTRY = /^country(_?code)?$/i

/**
 * Returns the kind of a field, or `undefined` if its name does not show one. Everything inside a secret object is
 * secret.
 * @param path the keys of the field, the outermost first
 */
export function fieldKind(path: readonly string[]): FieldKind | undefined {
  const kinds = path.map(kindOfName)
  if (kinds.includes('secret')) return 'secret'
  const kind = kinds.at(-1)
  if (kind !== undefined) return kind
  const isOfPerson = path.at(-1) === 'name' && PERSONS.test(snakeCase(path.at(-2) ?? ''))
  if (isOfPerson) return 'name'
  return path.some((name) => PERSONAL_PARTS.test(snakeCase(name))) && !COUNTRY.test(path.at(-1) ?? '')
    ? 'person'
    : undefined
}

const MAX_REMEMBERED = 5000
const known = new Map<string, FieldKind | undefined>()

/** In characters. No field of a service has a longer name. */
const LONGEST_NAME = 100

function kindOfName(name: string): FieldKind | undefined {
  if (name.length > LONGEST_NAME) return 'person'
  // Names repeat, and there are many rules.
  if (known.has(name)) return known.get(name)
  const key = snakeCase(name).normalize('NFC')
  const kind = FIELDS.find(([, pattern]) => pattern.test(key))?.[0]
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(name, kind)
  return kind
}
