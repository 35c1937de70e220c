// Replaces personal data with values in the same format. With the same key, equal values get equal replacements.

import { createHmac } from 'node:crypto'
import { cardBrand, cardDigits, containsCard } from '../domain/card-masking.ts'
import { capitalize } from '../domain/characters.ts'

export interface Pseudonyms {
  name(text: string): string
  /** Keeps the format: `+7 916 123-45-67` becomes `+7 000 …`. No such area code exists. */
  phone(text: string): string
  email(text: string): string
  /** Replaces the digits of a masked card number or phone. Keeps the stars and the brand of the card. */
  mask(text: string): string
  /** Masks a card number. Keeps its first six digits, which show the brand, and replaces the last four. */
  card(number: string): string
  /** A date or a time becomes the first day of 2000, in the same format. */
  date(text: string): string
  /** Keeps the separators, the number of digits, and a sign. */
  digits(text: string): string
  /** For a name in a program, such as the key of an object. A name in capitals stays in capitals. No spaces remain. */
  word(text: string): string
  /** For any other string. */
  text(text: string): string
}

const MAX_REMEMBERED = 20_000
/** In characters. A longer string keeps its length, because a service may reject a long one. */
const LONG_TEXT = 64

/** @param key must be secret: otherwise a phone could be found by trying all numbers */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const known = new Map<string, Buffer>()
  const bytesOf = (kind: string, value: string): Buffer => {
    const id = `${kind}\0${value}`
    const found = known.get(id)
    if (found !== undefined) return found
    if (known.size >= MAX_REMEMBERED) known.clear()
    const bytes = createHmac('sha256', key).update(id).digest()
    known.set(id, bytes)
    return bytes
  }
  const word = (kind: string, value: string, length: number) =>
    [...bytesOf(kind, value).subarray(0, length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
  const prose = (text: string) => {
    if (text.trim() === '' || TEXT_MADE.test(text)) return text
    const made = `Text ${capitalize(word('text', normalized(text), 8))}`
    return text.length > LONG_TEXT ? `${made} `.padEnd(text.length, '.') : made
  }
  const otherDigits = (text: string) => {
    const bytes = bytesOf('digits', text.replace(/\s/g, ''))
    return changedAndNoCard(
      replaceDigits(text, (at) => digitAt(bytes, at)),
      text,
    )
  }
  return {
    name(text) {
      if (text.trim() === '' || NAME_MADE.test(text)) return text
      const made = `Person ${capitalize(word('name', normalized(text), 7))}`
      return /\p{Ll}/u.test(text) ? made : made.toUpperCase()
    },
    phone(text) {
      const digits = text.replace(/\D/g, '')
      if (digits.length < 5) return '*'.repeat(text.length)
      if (PHONE_MADE.test(digits)) return text
      const country = /^(?:00)?\d{0,3}(?=\d{10}$)/.exec(digits)?.[0] ?? ''
      // A longer number is not a phone.
      if (digits.length - country.length > 10) return otherDigits(text)
      const bytes = bytesOf('phone', digits.slice(-10))
      const kept = country.length
      const made = replaceDigits(text, (at) => (at < kept ? undefined : at < kept + 3 ? '0' : digitAt(bytes, at)))
      return changedAndNoCard(made, text)
    },
    email(text) {
      return EMAIL_MADE.test(text) ? text : `user-${word('email', normalized(text), 8)}@example.invalid`
    },
    mask(text) {
      const bytes = bytesOf('mask', text)
      const kept = cardBrand(text.slice(0, 6)) !== undefined && /^\d{6}\D/.test(text) ? 6 : 1
      return replaceDigits(text, (at) => (at < kept ? undefined : digitAt(bytes, at)))
    },
    card(number) {
      const digits = cardDigits(number)
      const bytes = bytesOf('card', digits)
      const end = [0, 1, 2, 3].map((at) => digitAt(bytes, at)).join('')
      return `${digits.slice(0, 6)}${'*'.repeat(Math.max(digits.length - 10, 2))}${end}`
    },
    date: (text) => text.replace(/\d+/g, (digits) => FIRST_DAY[digits.length] ?? '0'.repeat(digits.length)),
    digits: otherDigits,
    word(text) {
      if (text.trim() === '' || TEXT_MADE.test(text)) return text
      // A handler may check the format of the ids of events.
      if (EVENT_ID.test(text)) return `evt_${word('event', text, 24)}`
      const made = `x_${word('word', text, 10)}`.padEnd(text.length > LONG_TEXT ? text.length : 0, '_')
      return /\p{Ll}/u.test(text) || !/\p{Lu}/u.test(text) ? made : made.toUpperCase()
    },
    text: prose,
  }
}

/** The parts of a date by their number of digits. */
const FIRST_DAY: Readonly<Record<number, string>> = { 1: '1', 2: '01', 4: '2000', 8: '20000101' }

/** There are no vowels, so that no words appear by chance. */
const LETTERS = 'bcdfghjklmnpqrstvwxz'

const EVENT_ID = /^evt_[\da-z]{20,40}$/i

/** The patterns below match pseudonyms, which are kept if a file is masked again. */
const LETTER = `[${LETTERS}]`
const NAME_MADE = new RegExp(`^person ${LETTER}{7}$`, 'i')
/** The digits of a phone, with a country code. A country code with one digit is that of Russia or of North America. */
const PHONE_MADE = /^(?:00)?(?:[178]|\d{2,3})000\d{7}$/
const EMAIL_MADE = new RegExp(String.raw`^user-${LETTER}{8}@example\.invalid$`)
const TEXT_MADE = new RegExp(
  String.raw`^(?:evt_${LETTER}{24}|Text ${LETTER}{8}(?: \.+)?|x_${LETTER}{10}_*|person ${LETTER}{7}|user-${LETTER}{8}@example\.invalid)$`,
  'i',
)

function normalized(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

function digitAt(bytes: Buffer, at: number): string {
  return String((bytes[at % bytes.length] as number) % 10)
}

/** Changes the last digit while the result equals the original or looks like a card. Returns stars if this fails. */
export function changedAndNoCard(made: string, text: string): string {
  for (let other = made, tries = 0; tries < 10; tries++) {
    if (other !== text && !containsCard(other)) return other
    other = other.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
  }
  return text.replace(/\d/g, '*')
}

/** @param digit returns the new digit at a position among the digits, or `undefined` to keep it */
function replaceDigits(text: string, digit: (at: number) => string | undefined): string {
  let at = 0
  return text.replace(/\d/g, (old) => digit(at++) ?? old)
}
