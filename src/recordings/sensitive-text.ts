// Finds credentials, emails and phones in any text: by their format or, for secrets, by the name before them.
import { maskSecrets } from '../domain/secrets.ts'
import { fieldKind } from './personal-fields.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** Replaces a secret. */
export const HIDDEN = '***'

/** Replaces keys and tokens, and the magnetic stripe of a card except its number. */
export function withoutCredentials(text: string): string {
  return maskSecrets(text)
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN)
    .replace(JWT, HIDDEN)
    .replace(TOKEN, HIDDEN)
    .replace(AUTHORIZATION, `$1${HIDDEN}`)
    .replace(TRACK, (_, number: string, rest: string) => number + rest.replace(/[^=D^]+/g, HIDDEN))
}

/** Matches only at the start of a word, so that a long string is searched only once. */
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g

/** Tokens of other services, which begin with a known prefix, and the user name and the password in a URL. */
const TOKEN =
  /\b(?:[rps]k_(?:live|test)_(?![A-Za-z\d]{6}_)\w{8,}|whsec_[\w+/=]{8,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|xox[abeprs]-[\w-]{8,}|AKIA[A-Z\d]{12,}|AIza[\w-]{20,}|glpat-[\w-]{16,})|(?<=\b[a-z][a-z\d+.-]{1,20}:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/g

/** The token after `Bearer`, and the credentials after `Basic`. A word in lower case after `Basic` is prose. */
const AUTHORIZATION =
  /(\b(?:[Bb]earer|BEARER) +)(?!sk_(?:test|live)_|[\w-]+="|\*)[\w.~+/=-]{6,}|(?<=\b(?:[Bb]asic|BASIC) )(?=\S*[\d=A-Z])[\w+/=]{8,}/g

/** The magnetic stripe of a card: the card number, and the data after it. */
const TRACK = /(?<![\d.])(\d{12,19})(\^[^^\r\n]{2,26}\^\d{4,}|[=D]\d{4,})/g

/** Replaces the values after the names of secret fields, as in `password=…`, `<cvv>…` and `--token …`. */
export function withoutNamedSecrets(text: string): string {
  let result = ''
  let end = 0
  for (const { 0: start, 1: name = '', 2: sign = '', index } of text.matchAll(NAME_AND_SIGN)) {
    if (index < end || fieldKind([name]) !== 'secret') continue
    const value = sign === '>' ? ELEMENT : VALUE
    value.lastIndex = index + start.length
    const found = value.exec(text)?.[0] ?? ''
    if (found === '') continue
    const quote = /^["']/.exec(found)?.[0] ?? ''
    const isClosed = found.length > 1 && found.endsWith(quote)
    result += text.slice(end, value.lastIndex - found.length) + quote + HIDDEN + (isClosed ? quote : '')
    end = value.lastIndex
  }
  return (result + text.slice(end)).replace(SECURITY_CODE, HIDDEN).replace(CURL_PASSWORD, `$1${HIDDEN}`)
}

/** The name of a field or an option, and the characters between the name and the value. */
const NAME_AND_SIGN =
  /(?<![\p{L}\d_.-])(?:--?)?(\p{L}[\p{L}\d_.-]{1,60})(?![\p{L}\d_.-])(["'\]]{0,2}\s{0,3}[:=]\s{0,3}|>|(?<=(?<![\p{L}\d_.-])--[\p{L}\d_.-]{1,60}) {1,3})/gu
const VALUE = /"(?:[^"\\]|\\.)*"?|'[^']*'?|(?:(?:bearer|basic|digest|token|apikey) {1,3})?[^\s&<>"'`]+/iy
const ELEMENT = /[^<]+/y
const SECURITY_CODE = /(?<=\b(?:cvv2?|cvc2?|csc)\W{0,3})\d{3,4}(?!\d)/gi
/** The password after a user name in an option of curl. */
const CURL_PASSWORD = /((?:\s-u|--user)[ =]{1,2}["']?[^\s:"']{1,60}:)[^\s"']+/g

/** Replaces emails and phones. UUIDs and hashes stay as they are. */
export function withoutContacts(text: string, { email, phone }: Pick<Pseudonyms, 'email' | 'phone'>): string {
  // Most texts have neither, and the pattern is slow.
  if (!/@|%40|\d/.test(text)) return text
  return text.replace(CONTACTS, (found: string, mail: string | undefined, number: string | undefined) =>
    mail !== undefined ? email(found) : number === undefined ? found : phone(found),
  )
}

const GAP = String.raw`[ ().\u00a0\u2007\u2009\u202f\u2010-\u2015\u2212-]{0,3}`

/** In this order: UUID, hash, email, phone. */
const CONTACTS = new RegExp(
  [
    String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
    String.raw`\b(?=\d*[a-f])[\da-f]{32,}\b`,
    String.raw`(?<email>[\p{L}\d][\p{L}\d.!$%'*+^_{|}~-]{0,63}(?:@|%40)[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?(?:\.[\p{L}\d-]+)+)`,
    `(?<phone>(?:\\+|%2[Bb])\\d(?:${GAP}\\d){7,14}(?!\\d)|(?<![\\d.])[78]${GAP}9\\d{2}${GAP}\\d{3}${GAP}\\d{2}${GAP}\\d{2}(?!\\d))`,
  ].join('|'),
  'giu',
)

/** The maximum number of characters of an email (RFC 5321). */
const LONGEST_CONTACT = 320

/** Returns `email` or `phone` if the whole string is one. */
export function contactKind(text: string): 'email' | 'phone' | undefined {
  if (text.length > LONGEST_CONTACT) return undefined
  CONTACTS.lastIndex = 0
  const found = CONTACTS.exec(text)
  if (found?.[0] !== text) return undefined
  return found.groups?.['email'] !== undefined ? 'email' : found.groups?.['phone'] !== undefined ? 'phone' : undefined
}
