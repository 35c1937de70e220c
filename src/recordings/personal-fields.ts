// Which fields contain personal data or secrets, by their names. It decides what replaces a text.
import { snakeCase } from './snake-case.ts'

/** The content of a field. `code_or_text` is text unless it looks like a code, such as `fraud_check`. */
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

/** Parts of the names of secret fields. */
const SECRET_PARTS = [
  ...['passw', 'passphrase', 'secret', 'token', 'credential', 'cookie', 'bearer', 'jwt', 'hmac'],
  ...['client_assertion', 'pin_?block', 'passcode', 'passkey', 'recovery', 'backup_?code', 'парол', 'токен'],
]
/** Words of the names of secret fields. A digit may follow. */
const SECRET_WORDS = [
  ...['pass', 'pwd', 'otp', 'pin', 'sid', 'sig', 'signature', 'auth', 'authorization', 'session', 'session_id'],
  ...['cv[vcn]', 'cv2', 'csc', 'card_code', 'verification_value', 'track_?[123]?', 'track_?[123]?_?data'],
  ...['psw', 'puk', 'totp', 'mfa', '2fa', 'tan', 'security_answer', 'mnemonic', 'seed_phrase'],
]
/** Words before `key`, and words before `code`. */
const SECRET_KEYS = ['api', 'access', 'private', 'signing', 'session', 'encryption', 'client', 'rsa', 'ssh', 'hash']
const SECRET_CODES = [
  'sms',
  'otp',
  'auth',
  'verification',
  'confirmation',
  'security',
  'pin',
  'access',
  'login',
  'one_time',
]

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
  ['mask', /(^|_)mask$|^masked_/],
  ['card', /^(pan|card_?(number|pan)|customer_card_number)$/],
  ['phone', /(^|_)(phones?|phone_?number|telephone|tel|msisdn|mobile|mobile_?number|телефон)$/],
  ['email', /(^|_)(e_?mails?(_address)?|почта)$/],
  [
    'name',
    /(^|_)(\w+name(_[a-z]{2})?|name_on_\w+|fio|\w*holder|login|nick|telegram|viber|whatsapp|surname|patronymic|фио|имя|фамилия|отчество)$/,
  ],
  ['birth_date', /(^|_)(birth_?(date|day)?|born|bd|date_of_birth|dob|дата_рождения)$/],
  [
    'document',
    /(^|_)(iban|inn|snils|ssn|(tax|passport|national|personal|ssn|emirates|aadhaar|viber|telegram|whatsapp)_?id|passport(_?(number|no|series))?|account_number|инн|снилс|паспорт)$/,
  ],
  ['text', /(^|_)(description|comments?|notes?|memo|remark|purpose|address_?\d?|street|адрес)$/],
  ['code_or_text', /^reason$/],
]

/** Objects that describe a person, so that their `name` is the name of a person. */
const PERSONS =
  /(^|_)(customer|buyer|payer|recipient|client|user|person|contact|beneficiary|cardholder|sender|owner|(billing|shipping)(_details)?)s?$/

/**
 * Returns what a field contains, or `undefined` if its name does not say it. Everything inside a secret object is secret.
 * @param path its keys, from the outside
 */
export function fieldKind(path: readonly string[]): FieldKind | undefined {
  if (path.some((name) => kindOfName(name) === 'secret')) return 'secret'
  const name = path.at(-1) ?? ''
  // A document or a date may be written in parts.
  const whole = path.map((part) => kindOfName(part)).find((kind) => kind === 'document' || kind === 'birth_date')
  if (whole !== undefined) return whole
  if (name === 'name') return PERSONS.test(snakeCase(path.at(-2) ?? '')) ? 'name' : 'text'
  return kindOfName(name)
}

const MAX_REMEMBERED = 5000
const known = new Map<string, FieldKind | undefined>()

/** Characters. No field of a service has a longer name. */
const LONGEST_NAME = 100

function kindOfName(name: string): FieldKind | undefined {
  if (name.length > LONGEST_NAME) return 'text'
  // Names repeat, and there are many rules.
  if (known.has(name)) return known.get(name)
  const key = snakeCase(name)
  const kind = FIELDS.find(([, pattern]) => pattern.test(key))?.[0]
  if (known.size >= MAX_REMEMBERED) known.clear()
  known.set(name, kind)
  return kind
}
