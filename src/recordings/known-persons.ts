// Names and phones that fields of a recording contained. They are replaced in every text, with the same pseudonym.
import { DIGITS, isProse } from './free-text.ts'
import type { Pseudonyms } from './pseudonyms.ts'

export interface KnownPersons {
  /** The number of names and phones. It grows if a text contains a new one. */
  readonly count: number
  learnName(name: string, pseudonym: string): void
  learnPhone(phone: string): void
  /**
   * Replaces the names in a text: the whole name in any order and spelling of its words, and single words of a sentence.
   * A word that belongs to several names gets its own pseudonym.
   */
  replaceIn(text: string, pseudonyms: Pick<Pseudonyms, 'name' | 'phone'>): string
}

/** A word of names. */
interface NameWord {
  /** The pseudonym of the only name with this word. Absent if there are several. */
  readonly pseudonym?: string | undefined
}

/** Words that are also in the names of tests and of shops. A name of such words only is not replaced elsewhere. */
const COMMON: ReadonlySet<string> = new Set(
  `test user customer client buyer payer person name shop store local bank card holder cardholder demo sample example
   anonymous unknown guest admin default none null true false payment order company the and тест пользователь клиент
   покупатель магазин банк имя тестовый`.split(/\s+/),
)

const WORD = /[\p{L}\p{M}]+/gu

/** Digits of the shortest phone that is replaced without a field. */
const SHORTEST_PHONE = 7

/** Words of the longest name. */
const MAX_WORDS = 6

/** Names beyond this number are not replaced in texts without a field. */
const MAX_NAMES = 100_000

export function createKnownPersons(): KnownPersons {
  /** Pseudonyms by the sorted names, in lower case. */
  const wholes = new Map<string, string>()
  const words = new Map<string, NameWord>()
  const phones = new Set<string>()

  /** Returns the number of words at this position that are a name. */
  function match(found: readonly FoundWord[], at: number, text: string, isSentence: boolean): Match | undefined {
    if (!words.has(found[at]?.word ?? '')) return undefined
    let most = 1
    while (most < MAX_WORDS && words.has(found[at + most]?.word ?? '') && isJoined(found, at + most, text)) most++
    for (let length = most; length > 1; length--) {
      const pseudonym = wholes.get(keyOf(found.slice(at, at + length)))
      if (pseudonym !== undefined) return { length, pseudonym }
    }
    const { word, start, end } = found[at] as FoundWord
    if (!isSentence && text.trim().length > end - start) return undefined
    const isSingle = isTelling(word) && word.length > 2 && /^\p{Lu}/u.test(text.slice(start, end))
    if (!isSingle || PART_OF_CODE.test(text.slice(start - 1, start)) || PART_OF_CODE.test(text.slice(end, end + 1)))
      return undefined
    return { length: 1, pseudonym: wholes.get(word) ?? words.get(word)?.pseudonym }
  }

  function replaceNames(text: string, isSentence: boolean, pseudonymOf: (name: string) => string): string {
    const found = wordsOf(text)
    if (!found.some(({ word }) => words.has(word))) return text
    let out = ''
    let copied = 0
    for (let at = 0; at < found.length; at++) {
      const name = match(found, at, text, isSentence)
      if (name === undefined) continue
      const { start } = found[at] as FoundWord
      const { end } = found[at + name.length - 1] as FoundWord
      out += text.slice(copied, start) + (name.pseudonym ?? pseudonymOf(text.slice(start, end)))
      copied = end
      at += name.length - 1
    }
    return copied === 0 ? text : out + text.slice(copied)
  }

  return {
    get count() {
      return wholes.size + phones.size
    },
    learnName(name, pseudonym) {
      const found = wordsOf(name)
      const key = keyOf(found)
      const isUseful = found.length <= MAX_WORDS && found.some(({ word }) => isTelling(word))
      if (!isUseful || wholes.has(key) || wholes.size >= MAX_NAMES) return
      wholes.set(key, pseudonym)
      for (const { word } of found) words.set(word, words.has(word) ? {} : { pseudonym })
    },
    learnPhone(phone) {
      const digits = phone.replace(/\D/g, '')
      if (digits.length >= SHORTEST_PHONE && phones.size < MAX_NAMES) phones.add(digits.slice(-10))
    },
    replaceIn(text, { name, phone }) {
      if (wholes.size + phones.size === 0) return text
      const prose = isProse(text)
      const nameless = wholes.size === 0 ? text : replaceNames(text, prose, name)
      if (phones.size === 0 || !prose) return nameless
      return nameless.replace(DIGITS, (found) =>
        phones.has(found.replace(/\D/g, '').slice(-10)) ? phone(found) : found,
      )
    },
  }
}

const keyOf = (found: readonly FoundWord[]) =>
  found
    .map(({ word }) => word)
    .sort()
    .join(' ')

/** A word next to one of these is a part of an id, a path or a URL. */
const PART_OF_CODE = /[\d_/@=&-]/

interface FoundWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

interface Match {
  /** The number of words. */
  readonly length: number
  readonly pseudonym: string | undefined
}

function wordsOf(text: string): FoundWord[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: word.normalize('NFC').toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

const isTelling = (word: string) => word.length > 1 && !COMMON.has(word)

/** Characters between the parts of a name. */
const GAP = /^(?:[\s\u00a0,._+'’-]{1,3}|%20|%27)$/

/** Whether only a gap is between the word and the one before it. */
function isJoined(found: readonly FoundWord[], at: number, text: string): boolean {
  return GAP.test(text.slice(found[at - 1]?.end, found[at]?.start))
}
