// Removes secrets, card numbers and personal data before a file or a store gets them. A text stays only if it is known to be
// harmless, by its field or by its form. Every other text is replaced.
import { isUtf8 } from 'node:buffer'
import { cardDigits, cardMask, findCard, replaceCards } from '../domain/card-masking.ts'
import { isTooDeep } from '../domain/json-depth.ts'
import { editJson, type JsonToken } from './edit-json.ts'
import { editUrl } from './edit-url.ts'
import { isIdentifier, isKeptText, isProtocolWord, isSentenceField } from './kept-text.ts'
import { type FieldKind, fieldKind } from './personal-fields.ts'
import { createPseudonyms, type Pseudonyms, REDACTION } from './pseudonyms.ts'
import { headerRule, schemeOf } from './recorded-headers.ts'
import { contactKind, HIDDEN, withoutContacts, withoutCredentials, withoutUncommonWords } from './sensitive-text.ts'
import { snakeCase } from './snake-case.ts'

export interface MaskingOptions {
  /** The key of the pseudonyms: at least 16 secret bytes. */
  readonly key: Uint8Array
  /** Masks only card numbers, and secrets that are found by the name of their field or by their form. */
  readonly keepsPersonalData?: boolean
}

export interface Masking {
  /** Replaces what is sensitive by its form: credentials, card numbers, emails and phones. For texts that psp wrote. */
  text(text: string): string
  /** Masks a JSON text. The values that are kept, and the space between them, keep their bytes. */
  json(text: string): string
  /**
   * Masks a body of JSON, of lines of JSON, or of an event stream. A body that is not changed is returned as it is.
   * Returns `undefined` for any other body, because its fields are not known.
   */
  body(bytes: Buffer): Buffer | undefined
  header(name: string, value: string): string
  /** Masks the path and the parameters of a URL. */
  url(url: string): string
}

export function createMasking({ key, keepsPersonalData = false }: MaskingOptions): Masking {
  return maskingWith(createPseudonyms(key), keepsPersonalData)
}

/** Replaces all personal data by the same text. Its result does not depend on a key. */
export function createRedaction(): Masking {
  return maskingWith(REDACTION, false)
}

function maskingWith(pseudonyms: Pseudonyms, keepsPersonalData: boolean): Masking {
  function maskByForm(value: string): string {
    const secretless = withoutCredentials(value)
    // Card numbers come last, because a pseudonym of a phone or an email contains none.
    return replaceCards(keepsPersonalData ? secretless : withoutContacts(secretless, pseudonyms), card)
  }

  function card(number: string): string {
    return keepsPersonalData ? cardMask(number) : pseudonyms.card(number)
  }

  /** Masks the text of a field. */
  function field(path: readonly string[], value: string): string {
    const kind = fieldKind(path)
    if (value === '') return value
    if (kind === 'secret') return HIDDEN
    if (kind === 'card') {
      // Nothing that follows the number is kept, because it can be the security code.
      const number = findCard(value) ?? cardDigits(value)
      if (/^\d{12,}$/.test(number) || (number.length >= 12 && !keepsPersonalData)) return card(number)
    }
    if (isKeptText(path, value) && !URL_TEXT.test(value)) return maskByForm(value)
    if (URL_TEXT.test(value)) return url(value)
    if (keepsPersonalData) return maskByForm(value)
    if (isSentenceField(path)) return maskByForm(withoutUncommonWords(value))
    return pseudonymOf(pseudonyms, kind ?? 'text', value)
  }

  /** Masks a number of a field. Returns a text for a card number and for a secret. */
  function number(path: readonly string[], value: string): string | number {
    const kind = fieldKind(path)
    if (kind === 'secret') return HIDDEN
    const isPersonal = kind === 'document' || kind === 'birth_date' || kind === 'phone'
    if (
      keepsPersonalData ||
      (value.length < 7 && !isPersonal) ||
      (value.length < 14 && isAmountOrTime(path)) ||
      /[.e]/i.test(value)
    )
      return maskByForm(value)
    const withoutCard = replaceCards(value, card)
    const made = withoutCard === value ? pseudonyms.document(value) : withoutCard
    return /^-?\d+$/.test(made) ? Number(made.replace(/^-?0/, (start) => start.replace('0', '1'))) : made
  }

  function maskKey(value: string): string {
    return isIdentifier(value) ? maskByForm(value) : prose(value)
  }

  function maskToken({ kind, path, value }: JsonToken): string | number | undefined {
    if (kind === 'key') return ifChanged(value, maskKey(value))
    return ifChanged(value, kind === 'number' ? number(path, value) : field(path, value))
  }

  const prose = (value: string) => (keepsPersonalData ? maskByForm(value) : pseudonymOf(pseudonyms, 'text', value))
  const json = (value: string) => editJson(value, maskToken)

  const url = (value: string) =>
    editUrl(value, {
      origin: maskByForm,
      segment: (segment) => (isProtocolWord(segment) ? maskByForm(segment) : prose(segment)),
      name: maskKey,
      // The URL after a login contains a code that can be exchanged for a token.
      value: (name, parameter) =>
        parameter !== '' && /^(code|key|state|nonce)$/i.test(name) ? HIDDEN : field([name], parameter),
    })

  return {
    text: maskByForm,
    json,
    body(bytes) {
      if (!isUtf8(bytes)) return undefined
      const before = bytes.toString('utf8')
      const after = maskBody(before, json)
      return after === before ? bytes : after === undefined ? undefined : Buffer.from(after)
    },
    header(name, value) {
      const rule = headerRule(name, value)
      if (value === '' || rule === 'url') return url(value)
      if (rule === 'id') return field([], value)
      if (rule === 'keep') return maskByForm(value)
      // Keeps the public part of an API key, which says which key was used.
      const scheme = schemeOf(name, value)
      const masked = maskByForm(value).slice(scheme.length)
      return /^sk_(test|live)_[A-Za-z0-9]{6}_\*{3}$/.test(masked) ? scheme + masked : `${scheme}${HIDDEN}`
    },
    url,
  }
}

const URL_TEXT = /^https?:\/\/\S+$/i

function pseudonymOf(pseudonyms: Pseudonyms, kind: Exclude<FieldKind, 'secret'>, value: string): string {
  // A line break is kept, because a service may reject it.
  const lineBreak = /[\r\n\u2028\u2029]/.exec(value)?.[0] ?? ''
  if (kind === 'text' || kind === 'card' || kind === 'code_or_text')
    return pseudonyms[contactKind(value) ?? 'text'](value) + lineBreak
  return (kind === 'phone' && /\p{L}/u.test(value) ? pseudonyms.text(value) : pseudonyms[kind](value)) + lineBreak
}

/** Returns `undefined` if the body is neither JSON nor lines of JSON or of an event stream. */
function maskBody(body: string, json: (text: string) => string): string | undefined {
  const text = body.replace(/^\ufeff/, '')
  const mark = body.slice(0, body.length - text.length)
  if (isJson(text)) return mark + json(text)
  const lines = text.split('\n').map((line) => maskLine(line, json))
  return lines.includes(undefined) ? undefined : mark + lines.join('\n')
}

function maskLine(line: string, json: (text: string) => string): string | undefined {
  if (line.trim() === '') return line
  if (isJson(line)) return json(line)
  const [, name, value = '', end] = /^(data: ?|event: ?|id: ?|retry: ?|: ?)(.*?)(\r?)$/.exec(line) ?? []
  if (name === undefined) return undefined
  const isComment = name.startsWith(':')
  const masked = isJson(value) ? json(value) : isProtocolWord(value) || (isComment && value === '') ? value : HIDDEN
  return `${name}${masked}${end}`
}

/** Amounts and times are numbers that are never personal. */
function isAmountOrTime(path: readonly string[]): boolean {
  return /(^|_)(amount|amount_\w+|refunded|balance|total|price|sum|fee|at|timestamp|time|ms|ts|iat|exp|created|updated|start|end)$/.test(
    snakeCase(path.at(-1) ?? ''),
  )
}

function ifChanged(before: string, after: string | number): string | number | undefined {
  return before === after ? undefined : after
}

/** Whether the text is a JSON document that is not nested too deeply to be read. */
function isJson(text: string): boolean {
  if (!/^\s*[[{"\d-]|^\s*(?:true|false|null)\s*$/.test(text)) return false
  try {
    return !isTooDeep(JSON.parse(text))
  } catch {
    return false
  }
}
