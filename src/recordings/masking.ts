// Replaces secrets, card numbers and personal data before they are written to a file or a store. kept-text.ts decides
// which values are kept.
import { isUtf8 } from 'node:buffer'
import { cardDigits, cardMask, findCard, replaceCards } from '../domain/card-masking.ts'
import { editJson, type JsonEdit, type JsonToken } from '../domain/edit-json.ts'
import { parseJson } from '../domain/json-values.ts'
import { editUrl } from './edit-url.ts'
import { isAmount, isHarmless, isId, isKeptText, isMoneyField, isSentenceField, isTokenField } from './kept-text.ts'
import { type FieldKind, fieldKind } from './personal-fields.ts'
import { isPlainToken, withoutOtherWords } from './plain-words.ts'
import { changedAndNoCard, createPseudonyms, type Pseudonyms } from './pseudonyms.ts'
import { headerRule, recordedMediaType, schemeOf } from './recorded-headers.ts'
import { contactKind, HIDDEN, withoutContacts, withoutCredentials, withoutNamedSecrets } from './sensitive-text.ts'

export interface MaskingOptions {
  /** The key of the pseudonyms: at least 16 secret bytes. */
  readonly key: Uint8Array
  /**
   * Masks only card numbers, and secrets that are found by the name of their field, by a name in front of them such as
   * `password=`, or by their format.
   */
  readonly keepsPersonalData?: boolean
}

export interface Masking {
  /**
   * Replaces credentials and card numbers, which are found by their format, and emails and phones. If personal data is
   * kept, emails and phones stay, and secrets after a name such as `password=` are replaced. For messages that psp
   * wrote.
   */
  text(text: string): string
  /** Masks a JSON document. Kept values, and the white space between values, keep their bytes. */
  json(text: string): string
  /**
   * Masks a body that is JSON, lines of JSON, or an event stream. Returns `undefined` for a body in any other format,
   * because its fields are not known. If nothing was masked, returns `bytes` itself.
   */
  body(bytes: Buffer): Buffer | undefined
  header(name: string, value: string): string
  /** Masks the path and the parameters of a URL. */
  url(url: string): string
}

export function createMasking({ key, keepsPersonalData = false }: MaskingOptions): Masking {
  const pseudonyms = createPseudonyms(key)
  const { maskByFormat, card } = createFormatMasking(pseudonyms, keepsPersonalData)

  /** @param depth the number of URLs that contain the value */
  function field(path: readonly string[], value: string, depth = 0): string {
    const kind = fieldKind(path)
    if (value === '') return value
    if (kind === 'secret') return HIDDEN
    if (kind === 'card' && value.length <= MAX_FORMAT_LENGTH) {
      // Nothing that follows the number is kept, because it can be the security code.
      const number = findCard(value) ?? cardDigits(value)
      if (/^\d{12,}$/.test(number)) return card(number)
    }
    if (isAmount(path, value)) return value
    if (URL_TEXT.test(value)) return depth < MAX_URLS ? url(value, depth + 1) : HIDDEN
    if (isKeptText(path, value)) return maskByFormat(value)
    if (kind === 'code') return HIDDEN
    if (keepsPersonalData) return maskByFormat(value)
    if (isSentenceField(path)) return maskByFormat(withoutOtherWords(value, isId))
    return standIn(pseudonymKind(kind, value, isTokenField(path) && !/\s/.test(value)), value)
  }

  function standIn(kind: keyof Pseudonyms, value: string): string {
    const number = kind === 'digits' || kind === 'phone' ? findCard(value) : undefined
    if (number !== undefined) return card(number)
    // A line break is kept, because a service may reject it.
    return pseudonyms[kind](value) + (/[\r\n\u2028\u2029]/.exec(value)?.[0] ?? '')
  }

  /** Returns the replacement of a number, or `undefined` to keep it. Card numbers and secrets become strings. */
  function number(path: readonly string[], value: string): JsonEdit | undefined {
    const kind = fieldKind(path)
    if (kind === 'secret') return HIDDEN
    if (isAmount(path, value)) return undefined
    const withoutCard = replaceCards(value, card)
    if (withoutCard !== value) return withoutCard
    // Other numbers in a field for amounts are kept too, such as `1e5` or an amount above the maximum, because the
    // response of the service depends on them.
    if (isMoneyField(path)) return undefined
    if (isKeptText(path, value) && contactKind(value) === undefined) return undefined
    if (kind === 'code') return HIDDEN
    if (keepsPersonalData) {
      const masked = maskByFormat(value)
      return masked === value ? undefined : masked
    }
    return otherNumber(value, pseudonyms)
  }

  /** Masks the key of an object, the name of a parameter, or another name that a program chooses. */
  function word(value: string): string {
    if (keepsPersonalData || isHarmless(value)) return maskByFormat(value)
    return pseudonyms[contactKind(value) ?? 'word'](value)
  }

  function maskToken({ kind, path: keys, pathWithPairNames, value }: JsonToken): JsonEdit | undefined {
    // In `{"name":"password","value":"…"}`, the name of the pair shows that the value is secret.
    const path = fieldKind(pathWithPairNames) === undefined ? keys : pathWithPairNames
    if (kind === 'number') return number(path, value)
    const masked = kind === 'key' ? word(value) : field(path, value)
    return masked === value ? undefined : masked
  }

  const json = (value: string) => editJson(value, maskToken)

  const url = (value: string, depth: number): string =>
    editUrl(value, {
      origin: (text) => withoutOddHost(maskByFormat(text)),
      segment(before, text) {
        if (isSecretSegment(before, text)) return HIDDEN
        return isKeptText([before], text) ? maskByFormat(text) : word(text)
      },
      name: word,
      // The URL after a login contains a code that can be exchanged for a token.
      value: (name, text) =>
        // In a URL, an amount with the digits of a card number looks like one.
        text !== '' && ONE_TIME.test(name) ? HIDDEN : replaceCards(field([name], text, depth), card),
    })

  return {
    text: maskByFormat,
    json,
    body: (bytes) => maskBytes(bytes, json),
    header(name, value) {
      const rule = headerRule(name, value)
      if (value === '' || rule === 'url') return url(value, 0)
      if (rule === 'type') return recordedMediaType(value)
      if (rule === 'id') return isKeptText([name], value) ? maskByFormat(value) : word(value)
      return rule === 'keep' ? maskByFormat(value) : withoutCredential(name, maskByFormat(value))
    },
    url: (value) => url(value, 0),
  }
}

interface FormatMasking {
  maskByFormat(value: string): string
  card(number: string): string
}

/** Creates a function that masks the sensitive parts of any string, which it finds by their format. */
function createFormatMasking(pseudonyms: Pseudonyms, keepsPersonalData: boolean): FormatMasking {
  const card = (number: string) => (keepsPersonalData ? cardMask(number) : pseudonyms.card(number))
  return {
    card,
    maskByFormat(value) {
      const secretless = withoutCredentials(value)
      // Only here, recorded values can contain an unknown word, such as a secret after its name. Card numbers are
      // replaced first: `withoutNamedSecrets` hides a value only up to its first space, so it would leave the rest of a
      // card number that is written in groups.
      if (keepsPersonalData) return withoutNamedSecrets(replaceCards(secretless, card))
      // The pseudonym of a phone or an email contains no card number, so this changes no pseudonym.
      return replaceCards(withoutContacts(secretless, pseudonyms), card)
    },
  }
}

const ORIGIN = /^(?:[a-z][a-z\d+.-]*:\/\/(?:\*{3}@)?(?:[\p{L}\d._-]*|\[[\da-f:.]+\])(?::\d{1,5})?)?$/iu

/** Hides the part between the scheme and the path if it is not a host: it can contain an unencoded password. */
function withoutOddHost(origin: string): string {
  return ORIGIN.test(origin) ? origin : origin.replace(/(?<=:\/\/).*/s, HIDDEN)
}

function isSecretSegment(before: string, text: string): boolean {
  const kind = fieldKind([before])
  return kind === 'secret' || (kind === 'code' && !isPlainToken(text))
}

/** Keeps the scheme and the public part of an API key, which says which key was used. */
function withoutCredential(header: string, masked: string): string {
  const scheme = schemeOf(header, masked)
  const rest = masked.slice(scheme.length)
  return scheme + (/^sk_(test|live)_[A-Za-z0-9]{6}_\*{3}$/.test(rest) ? rest : HIDDEN)
}

const URL_TEXT = /^https?:\/\/\S+$/i
/** Maximum number of nested URLs. Deeper ones are hidden, because each level is parsed again. */
const MAX_URLS = 3
const ONE_TIME = /^(code|key|state|nonce|confirm|access|ticket|reset)$/i

/** Returns another number with as many digits, or stars if all the numbers that were tried look like a card. */
function otherNumber(value: string, { digits }: Pseudonyms): JsonEdit {
  const [, mantissa = '', exponent = ''] = /^([^e]*)(.*)$/i.exec(value) ?? []
  // A number has no zero at its start.
  const first = (_: string, sign: string) => sign + (/^-?1/.test(mantissa) ? '2' : '1')
  const zero = exponent === '' ? /^(-?)0(?=\d)/ : /^(-?)0(?!\.)/
  const made = changedAndNoCard(digits(mantissa).replace(zero, first), mantissa)
  return made.includes('*') ? made : { number: made + exponent }
}

function pseudonymKind(kind: FieldKind | undefined, value: string, isToken: boolean): keyof Pseudonyms {
  // A text pseudonym contains nothing of the value. Finding another format in a long string would take time.
  if (value.length > MAX_FORMAT_LENGTH) return 'text'
  if (kind === 'name') return 'name'
  const contact = contactKind(value)
  if (contact !== undefined) return contact
  if (DATE.test(value)) return 'date'
  if (/\p{L}/u.test(value) || !/\d/.test(value)) return isToken || /^\S*\d\S*$/.test(value) ? 'word' : 'text'
  if (value.includes('**')) return 'mask'
  return kind === 'phone' ? 'phone' : 'digits'
}

/** In characters. The format of a longer string is not kept. */
const MAX_FORMAT_LENGTH = 1000

const DATE = /^(?:\d{4}-\d\d-\d\d(?:[T ][\d:.+Z -]*)?$|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)$)/

function maskBytes(bytes: Buffer, json: (text: string) => string): Buffer | undefined {
  if (!isUtf8(bytes)) return undefined
  const before = bytes.toString('utf8')
  const after = maskBody(before, json)
  return after === before ? bytes : after === undefined ? undefined : Buffer.from(after)
}

/** Returns `undefined` if the body is neither JSON nor lines of JSON or of an event stream. */
function maskBody(body: string, json: (text: string) => string): string | undefined {
  const text = body.replace(/^\ufeff/, '')
  const mark = body.slice(0, body.length - text.length)
  if (isJson(text)) return mark + json(text)
  // In a stream, an unknown line becomes a comment with hidden content.
  const other = STREAM_LINE.test(text) ? `: ${HIDDEN}` : undefined
  const lines = text.split('\n').map((line) => maskLine(line, json) ?? other)
  return lines.includes(undefined) ? undefined : mark + lines.join('\n')
}

const STREAM_LINE = /^(?:data|event):/m

function maskLine(line: string, json: (text: string) => string): string | undefined {
  if (line.trim() === '') return line
  if (isJson(line)) return json(line)
  const [, name, value = '', end] = /^(data: ?|event: ?|id: ?|retry: ?|: ?)(.*?)(\r?)$/.exec(line) ?? []
  if (name === undefined) return undefined
  const isKept = name.startsWith('retry') ? /^\d{1,7}$/.test(value) : isHarmless(value) && !/["{}[\]]/.test(value)
  const masked = isKept ? value : isJson(value) ? json(value) : HIDDEN
  return `${name}${masked}${end}`
}

/** Whether the text is a JSON document that is not nested too deeply to be read. */
function isJson(text: string): boolean {
  return /^\s*[[{"\d-]|^\s*(?:true|false|null)\s*$/.test(text) && parseJson(text) !== undefined
}
