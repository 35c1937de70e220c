// Words of payment services, of their fields and of their messages. Some of these words are also names of persons, so a
// word with a capital may be a name.
import lines from '../../fixtures/plain-words.json' with { type: 'json' }
import { HIDDEN } from './sensitive-text.ts'

const WORDS: ReadonlySet<string> = new Set(lines.flatMap((line) => line.split(' ')))

/** Maximum number of digits, as in `address_line1` and `3ds2`. A security code has three. */
const MAX_DIGITS = 2
/** Maximum number of single letters, so that they cannot spell a name. */
const MAX_LETTERS = 3
const MAX_LENGTH = 200

const LETTER = /^[a-zа-я]$/i

const WORD = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu
/** Between two words without a separator, as in `cardNumber` and `APIKey`. */
const JOINT = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu

/** Whether a string consists of known words, up to three single letters and two digits. Camel case is split. */
export function isPlain(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  let digits = 0
  let initials = 0
  for (const [word] of text.replace(JOINT, ' ').matchAll(WORD)) {
    if (/^\p{N}/u.test(word)) digits += word.length
    else if (LETTER.test(word)) initials++
    else if (!isKnown(word.toLowerCase())) return false
  }
  return digits <= MAX_DIGITS && initials <= MAX_LETTERS
}

/** Text with white space, or a word that begins with a capital, may contain a name: `Grant`. */
const MAY_BE_NAME = /\s|(?<!\p{L})\p{Lu}[\p{L}.]/u
const CAPITALS = /^[\p{Lu}\d]+(?:_[\p{Lu}\d]+)+$/u

/** Whether a string, such as `requires_action` or `NOT_FOUND`, is plain and cannot be the name of a person. */
export function isPlainCode(text: string): boolean {
  return isPlain(text) && (!MAY_BE_NAME.test(text) || CAPITALS.test(text))
}

/** Whether a string is plain and one token, with or without capitals. */
export function isPlainToken(text: string): boolean {
  return isPlain(text) && !/\s/.test(text)
}

function isKnown(word: string): boolean {
  return WORDS.has(word) || WORDS.has(word.endsWith('s') ? word.slice(0, -1) : `${word}s`)
}

/** At least three digits, also in groups: each group of a phone number alone looks like a harmless short number. */
const NUMBER = /(?<![\p{L}\p{N}_-])\+?\p{N}(?:[\s().-]{0,3}\p{N}){2,}(?![\p{L}\p{N}_-])/gu

const TITLE = /^\P{L}*\p{Lu}(?:\p{Ll}+|\.)(?:['’-]\p{Lu}\p{Ll}+)?\P{L}*$/u
/** Names of headers and of a cookie attribute, which have a capital even within a sentence. */
const HTTP_NAME = /^\P{L}*(?:Authorization|Content-Type|Host|Idempotency-Key|Origin|Secure)\P{L}*$/u
const STARTS_NEXT = /[.!?:…]$|^[-–—•*"'«(]+$/u

/** Whether a word with a capital is a name: it does not start a sentence, or the next word has a capital too. */
function isNameAt(parts: readonly string[], at: number): boolean {
  const word = parts[at] ?? ''
  const next = parts[at + 2] ?? ''
  if (!TITLE.test(word) || HTTP_NAME.test(word)) return false
  const before = parts[at - 2] ?? ''
  const isStart = before === '' || (STARTS_NEXT.test(before) && !INITIAL.test(before))
  return !isStart || ((INITIAL.test(word) || !/[.!?:,;]$/.test(word)) && TITLE.test(next) && !HTTP_NAME.test(next))
}

const INITIAL = /^\P{L}*\p{Lu}\.$/u

/**
 * Replaces each word of a sentence that is not plain or that may be a name, and each number of at least three digits.
 * @param isKept whether a word is harmless for another reason
 */
export function withoutOtherWords(sentence: string, isKept: (word: string) => boolean): string {
  const parts = sentence
    .replace(NUMBER, HIDDEN)
    .split(/(\s+)/)
    .map((part, at, all) => {
      if (at % 2 === 1 || (isPlain(part) && !isNameAt(all, at))) return part
      const end = part.length - (/[.,;:!?]$/.test(part) ? 1 : 0)
      return isKept(part.slice(0, end)) ? part : HIDDEN + part.slice(end)
    })
  // Several hidden words become one, because the count of words could hint at a name.
  return parts.join('').replace(/\*{3}(?:\s+\*{3})+/g, HIDDEN)
}
