// Finds credentials, names, phones and emails in any text by their form and by the words around them.
import { maskSecrets } from '../domain/secret-masking.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** The text that replaces a secret. */
export const HIDDEN = '***'

/** Whether the text has several words, so that it is not an id or a code. */
export function isProse(text: string): boolean {
  return /\p{L}[^\s\p{L}]{0,9}\s+[^\s\p{L}]{0,9}\p{L}/u.test(text)
}

/** Replaces what is secret in any text: keys, tokens, and the magnetic stripe of a card except its number. */
export function withoutCredentials(text: string): string {
  return maskSecrets(text)
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN)
    .replace(/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, HIDDEN)
    .replace(BEARER, `$1${HIDDEN}`)
    .replace(TRACK, (_, number: string, rest: string) => number + rest.replace(/[^=D^]+/g, HIDDEN))
}

/** Credentials with their scheme, as in `Authorization`. Words of prose have neither digits nor capitals inside. */
const BEARER =
  /(\b(?:[Bb]earer|BEARER) +)(?!sk_(?:test|live)_|[\w-]+="|\*)[\w.~+/=-]{6,}|(?<=\b(?:[Bb]asic|BASIC) )(?=\S*[\d=A-Z])[\w+/=]{8,}/g

/** The magnetic stripe of a card: its number, and what follows it. */
const TRACK = /(?<![\d.])(\d{12,19})(\^[^^\r\n]{2,26}\^\d{4,}|[=D]\d{4,})/g

/** Replaces names that the text marks as such, phones and emails. */
export function maskContacts(
  text: string,
  { name, email, phone }: Pick<Pseudonyms, 'name' | 'email' | 'phone'>,
): string {
  const nameless = text.includes('@') ? text.replace(NAME_AND_EMAIL, name) : text
  const named = NAME_WORD.test(nameless) ? nameless.replace(MARKED_NAME, name).replace(PATRONYMIC, name) : nameless
  if (!CONTACT.test(named)) return named
  const found = named.replace(CONTACTS, (whole: string, mail: string | undefined, number: string | undefined) => {
    if (mail !== undefined) return email(whole)
    return number === undefined ? whole : phone(whole)
  })
  return found.replace(MARKED_PHONE, (_, words: string, number: string) => words + phone(number))
}

/** A name before an email, as in `Ivan Petrov <ivan@shop.example>`. */
const NAME_AND_EMAIL =
  /(?<![\p{L}\d])\p{L}[\p{L}.'’-]{0,40}(?:[ \u00a0]\p{L}[\p{L}.'’-]{0,40}){0,3}(?="?[ \t]*<[^\s<>@]{1,64}@)|(?<![\p{L}\d])\p{Lu}[\p{L}'’-]{1,40}(?:[ \u00a0]\p{Lu}[\p{L}.'’-]{0,40}){1,2}(?=[ ,:;("–—-]{1,3}[^\s<>@/:?]{1,64}@)/gu

const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’.-]{0,40}`

/** Words before a name. A title may precede one word, and the others need two words. */
const PERSONS = [
  ...['customer', 'client', 'buyer', 'payer', 'recipient', 'cardholder', 'card holder', 'sender', 'beneficiary'],
  ...['holder', 'name', 'full name', 'first name', 'last name', 'customer name', 'payer name', 'cardholder name'],
  ...['клиент[ауы]?', 'покупател[ьяю]', 'плательщик[ау]?', 'получател[ьяю]', 'отправител[ьяю]', 'держател[ьяю]'],
  ...['фио', 'имя'],
].join('|')
const TITLES =
  'Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Mme|Dear|г-ну|г-н|г-же|г-жа|господин|госпожа|[Уу]важаем(?:ый|ая)|[Дд]орог(?:ой|ая)'

const NAME_WORD = new RegExp(`${PERSONS}|${TITLES}|[вн](?:ич|на)(?!\\p{L})|\\p{Lu}\\.`, 'iu')

const MARKED_NAME = new RegExp(
  [
    String.raw`(?<=(?<![\p{L}\d_])(?:${capitalizable(PERSONS)})"?[ \t]?[:=][ \t]?"?)${CAPITALIZED}(?:[ \u00a0]${CAPITALIZED}){1,3}`,
    String.raw`(?<=(?<![\p{L}\d_])(?:${PERSONS})[ \u00a0])${CAPITALIZED}(?:[ \u00a0]${CAPITALIZED}){1,2}`,
    String.raw`(?<=(?<![\p{L}\d_])(?:${TITLES})\.?[ \u00a0])${CAPITALIZED}(?:[ \u00a0]${CAPITALIZED}){0,2}`,
  ].join('|'),
  'gu',
)

/** Lets the words begin with a capital. */
function capitalizable(words: string): string {
  return words.replace(/(?<=^|[| ])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/** A name with a patronymic or with initials, such as `Петров Иван Сергеевич` or `И. С. Петров`. */
const PATRONYMIC = new RegExp(
  [
    String.raw`(?:\p{Lu}\p{Ll}{1,30}[ \u00a0]){1,2}\p{Lu}\p{Ll}{1,20}(?:[ое]вич|ич|[ое]вна|ична)(?!\p{L})`,
    String.raw`\p{sc=Cyrl}\.[ \u00a0]?(?:\p{Lu}\.[ \u00a0]?)?\p{Lu}\p{Ll}{2,30}`,
    String.raw`\p{Lu}\p{Ll}{2,30}[ \u00a0]\p{Lu}\.(?:[ \u00a0]?\p{Lu}\.)?`,
  ]
    .map((form) => String.raw`(?<![\p{L}\d])(?=\p{sc=Cyrl})${form}`)
    .join('|'),
  'gu',
)

/** A text without these has neither a phone nor an email. */
const CONTACT = /@|%40|\d(?:[^\d\n]{0,4}\d){5}/

const SPACE = String.raw` \u00a0\u2007\u2009\u202f`
const DASH = String.raw`\u2010-\u2015\u2212\-`
/** Characters between the digits of a phone. */
const GAP = `[${SPACE}${DASH}().]{0,3}`
const BREAK = `[${SPACE}${DASH}]`

/** In this order: UUID, hash, email, phone. UUIDs and hashes stay as they are. */
const CONTACTS = new RegExp(
  [
    String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
    String.raw`\b(?=\d*[a-f])[\da-f]{32,}\b`,
    String.raw`(?<email>[\p{L}\d][\p{L}\d.!$%'*+^_{|}~-]{0,63}(?:@|%40)[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?(?:\.[\p{L}\d-]+)+)`,
    `(?<phone>${[
      // With the code of the country.
      String.raw`(?:\+|%2[Bb])\d(?:${GAP}\d){7,14}(?!\d)`,
      String.raw`(?<![\d.])00[1-9]\d{0,2}${BREAK}\d(?:${GAP}\d){5,12}(?!\d)`,
      // Russian ones.
      String.raw`(?<![\d.])[78]${GAP}9\d{2}${GAP}\d{3}${BREAK}?\d{2}${BREAK}?\d{2}(?!\d)`,
      String.raw`(?<![\d.])8${BREAK}?\(?[348]\d{2}\)?${BREAK}{1,2}\d{3}${BREAK}\d{2}${BREAK}\d{2}(?!\d)`,
      // Without the code of the country.
      String.raw`(?<![\d.-])\(\d{3,5}\)${BREAK}?\d{1,3}${BREAK}?\d{2}${BREAK}?\d{2,4}(?!\d|[.-]\d)`,
      String.raw`(?<![\d.-])\d{3}${BREAK}\d{3}${BREAK}\d{2}${BREAK}\d{2}(?!\d|[.-]\d)`,
      String.raw`(?<![\d.-])[2-9]\d{2}[${SPACE}${DASH}.]\d{3}[${SPACE}${DASH}.]\d{4}(?!\d|[.-]\d)`,
    ].join('|')})`,
  ].join('|'),
  'giu',
)

/** Digits after a word that announces a phone. */
const MARKED_PHONE = new RegExp(
  String.raw`(?<![\p{L}\d])((?:tel|(?:tele)?phone|mobile|cell|whatsapp|viber|sms|call(?: me| him| her| us| back)+|тел|телефон\p{L}{0,3}|моб|звон\p{L}{1,6})(?:[ .:№#=(]|number|номер|to|at|on|на|по){1,9})(\d(?:${GAP}\d){5,14})(?!\d)`,
  'giu',
)

/** Any digits that may be a phone without the code of the country. */
export const DIGITS = new RegExp(String.raw`(?<![\d.])\d(?:${GAP}\d){5,14}(?![\d])`, 'gu')
