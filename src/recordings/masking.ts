// Removes secrets, card numbers and personal data from bodies, headers and URLs before a file or a store gets them.
import { isUtf8 } from 'node:buffer'
import { cardDigits, cardMask, replaceCards } from '../domain/card-masking.ts'
import { maskSecrets } from '../domain/secret-masking.ts'
import { editJson, type JsonToken } from './edit-json.ts'
import { editNamedValues, percentDecoded } from './named-values.ts'
import { type FieldKind, fieldKind } from './personal-fields.ts'
import { createPseudonyms, type Pseudonyms, REDACTION } from './pseudonyms.ts'
import { isHarmless, isSecretHeader, schemeOf, withoutRandomParts } from './secret-headers.ts'

export interface MaskingOptions {
  /** The key of the pseudonyms: at least 16 secret bytes. */
  readonly key: Uint8Array
  /** Masks only card numbers and secrets. */
  readonly keepsPersonalData?: boolean
}

export interface Masking {
  /** Masks any text by its content. */
  text(text: string): string
  /** Masks a JSON text by its fields and its content. Other values keep their bytes. */
  json(text: string): string
  /**
   * Masks a body by its content type. A body that is not changed is returned as it is.
   * Returns `undefined` for a body that is not UTF-8, because it cannot be masked.
   */
  body(bytes: Buffer, contentType?: string): Buffer | undefined
  header(name: string, value: string): string
  /** Masks the path and the parameters of a URL. */
  url(url: string): string
}

const HIDDEN = '***'

/** Headers whose values are URLs. */
const URL_HEADERS = /^(location|content-location|referer|origin)$/i

export function createMasking({ key, keepsPersonalData = false }: MaskingOptions): Masking {
  return maskingWith(createPseudonyms(key), keepsPersonalData)
}

/** Replaces all personal data by the same text. Its result does not depend on a key. */
export function createRedaction(): Masking {
  return maskingWith(REDACTION, false)
}

function maskingWith(pseudonyms: Pseudonyms, keepsPersonalData: boolean): Masking {
  function text(value: string, isBody = false): string {
    const secretless = withoutCredentials(value)
    const masked = /[=:<]/.test(secretless) ? editNamedValues(secretless, named, isBody) : secretless
    // Card numbers come last, because a pseudonym of a phone or an email contains none.
    return replaceCards(keepsPersonalData ? masked : maskContacts(masked), card)
  }

  /** Returns how the value of a name in a text is masked. */
  function named(name: string): ((value: string) => string) | undefined {
    const kind = fieldKind([name])
    return kind === undefined || (keepsPersonalData && kind !== 'secret' && kind !== 'card')
      ? undefined
      : (value) => field([name], value)
  }

  function maskContacts(value: string): string {
    const nameless = value.includes('@') ? value.replace(NAME_AND_EMAIL, (name) => pseudonyms.name(name)) : value
    return nameless.replace(CONTACTS, (found: string, email: string | undefined, phone: string | undefined) => {
      if (email !== undefined) return pseudonyms.email(found)
      return phone === undefined ? found : pseudonyms.phone(found)
    })
  }

  function card(number: string): string {
    return keepsPersonalData ? cardMask(number) : pseudonyms.card(number)
  }

  /** Masks the value of a field. */
  function field(path: readonly string[], value: string): string {
    const kind = fieldKind(path) ?? (path.includes('metadata') && isProse(value) ? 'text' : undefined)
    if (kind === 'secret') return value === '' ? value : HIDDEN
    if (kind === 'card') return cardDigits(value).length < 12 ? text(value) : card(value)
    if (kind === undefined || keepsPersonalData || value === '') return text(value)
    return personal(pseudonyms, kind, value) ?? text(value)
  }

  function maskToken({ kind, path, value }: JsonToken): string | undefined {
    if (kind === 'key') return ifChanged(value, text(value))
    // An amount may be as long as a phone number, but not as long as a card number.
    if (kind === 'number' && (value.length < 3 || (value.length < 13 && isAmountOrTime(path)))) return undefined
    return ifChanged(value, field(path, value))
  }

  const json = (value: string) => editJson(value, maskToken)

  /** Masks `a=1&b=2`. */
  function pairs(value: string, isSecret: (name: string) => boolean = () => false): string {
    return value.replace(/([^&=?#;]*)=([^&#;]*)/g, (whole, name: string, raw: string) => {
      const plain = percentDecoded(raw)
      const masked = isSecret(name) && raw !== '' ? HIDDEN : field([percentDecoded(name)], plain)
      return masked === plain ? whole : `${name}=${encodeURIComponent(masked)}`
    })
  }

  function url(value: string, isSecret?: (name: string) => boolean): string {
    const at = value.indexOf('?')
    return at < 0 ? text(value) : `${text(value.slice(0, at))}?${text(pairs(value.slice(at + 1), isSecret))}`
  }

  return {
    text: (value) => text(value),
    json,
    body(bytes, contentType = '') {
      if (!isUtf8(bytes)) return undefined
      const before = bytes.toString('utf8')
      const after = maskBody(before, contentType.toLowerCase(), { json, pairs, text: (part) => text(part, true) })
      return after === before ? bytes : Buffer.from(after)
    },
    header(name, value) {
      // After a login, the URL of a redirect contains a code that can be exchanged for a token.
      if (URL_HEADERS.test(name)) return url(value, (parameter) => parameter === 'code')
      const kind = isHarmless(name) ? undefined : fieldKind([name.replace(/^x-/i, '')])
      const masked = kind === undefined || kind === 'secret' ? text(value) : field([name.replace(/^x-/i, '')], value)
      if (!isSecretHeader(name) || value === '') return withoutRandomParts(name, masked, HIDDEN)
      // Keeps the public part of an API key, which says which key was used.
      const scheme = schemeOf(name, value)
      return /^sk_(test|live)_[A-Za-z0-9]{6}_\*{3}$/.test(masked.slice(scheme.length)) ? masked : `${scheme}${HIDDEN}`
    },
    url: (value) => url(value),
  }
}

type Edit = (text: string) => string

/** Masks a body by its type. Event streams and logs contain one JSON document a line. */
function maskBody(body: string, type: string, edits: { readonly [name in 'json' | 'pairs' | 'text']: Edit }): string {
  const { json, pairs, text } = edits
  if (body.startsWith('\ufeff')) return `\ufeff${maskBody(body.slice(1), type, edits)}`
  if (isJson(body)) return json(body)
  if (type.includes('x-www-form-urlencoded')) return text(pairs(body))
  if (type.includes('multipart/')) return text(body)
  let out = ''
  let copied = 0
  for (const { 0: line, 1: prefix = '', 2: document = '', index } of body.matchAll(JSON_LINE)) {
    if (!isJson(document)) continue
    out += `${text(body.slice(copied, index))}${prefix}${json(document)}`
    copied = index + line.length
  }
  return out + text(body.slice(copied))
}

/** Replaces what is secret in any text: keys, tokens, and the magnetic stripe of a card except its number. */
function withoutCredentials(text: string): string {
  return maskSecrets(text)
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN)
    .replace(/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, HIDDEN)
    .replace(BEARER, `$1${HIDDEN}`)
    .replace(TRACK, (_, number: string, rest: string) => number + rest.replace(/[^=D^]+/g, HIDDEN))
}

/** Returns `undefined` for a code, which is not personal. */
function personal(
  pseudonyms: Pseudonyms,
  kind: Exclude<FieldKind, 'secret' | 'card'>,
  value: string,
): string | undefined {
  if (kind === 'code_or_text') return /^[a-z0-9_.:-]{1,64}$/.test(value) ? undefined : pseudonyms.text(value)
  return kind === 'phone' && /\p{L}/u.test(value) ? pseudonyms.text(value) : pseudonyms[kind](value)
}

/** A line with one document, which may be the data of an event stream. */
const JSON_LINE = /^(data: ?)?([[{].*[\]}])(?=\r?$)/gm

/** Credentials with their scheme, as in `Authorization`. Words of prose have neither digits nor capitals inside. */
const BEARER =
  /(\b(?:[Bb]earer|BEARER) +)(?!sk_(?:test|live)_|[\w-]+="|\*)[\w.~+/=-]{6,}|(?<=\b(?:[Bb]asic|BASIC) )(?=\S*[\d=A-Z])[\w+/=]{8,}/g

/** The magnetic stripe of a card: its number, and what follows it. */
const TRACK = /(?<![\d.])(\d{12,19})(\^[^^\r\n]{2,26}\^\d{4,}|[=D]\d{4,})/g

/** A name before an email, as in `Ivan Petrov <ivan@shop.example>`. */
const NAME_AND_EMAIL =
  /(?<![\p{L}\d])\p{L}[\p{L}.'’-]{0,40}(?:[ \u00a0]\p{L}[\p{L}.'’-]{0,40}){0,3}(?="?[ \t]*<[^\s<>@]{1,64}@)|(?<![\p{L}\d])\p{Lu}[\p{L}'’-]{1,40}(?:[ \u00a0]\p{Lu}[\p{L}.'’-]{0,40}){1,2}(?=[ ,:;("–—-]{1,3}[^\s<>@/:?]{1,64}@)/gu

/** In this order: UUID, hash, email, phone. UUIDs and hashes stay as they are. */
const CONTACTS = new RegExp(
  [
    String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
    String.raw`\b(?=\d*[a-f])[\da-f]{32,}\b`,
    String.raw`(?<email>[\p{L}\d][\p{L}\d.!$%'*+^_{|}~-]{0,63}(?:@|%40)[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?(?:\.[\p{L}\d-]+)+)`,
    String.raw`(?<phone>(?:\+|%2[Bb])\d(?:[ ().\u00a0-]{0,2}\d){7,14}(?!\d)|(?<![\d.])[78][ (\u00a0-]{0,2}9\d{2}[ )\u00a0-]{0,2}\d{3}[ \u00a0-]?\d{2}[ \u00a0-]?\d{2}(?![\d]))`,
  ].join('|'),
  'giu',
)

/** Amounts and times are numbers that are never personal. */
function isAmountOrTime(path: readonly string[]): boolean {
  return /(^|_)(amount|amount_\w+|refunded|balance|at|timestamp|time|ms)$/.test(path.at(-1) ?? '')
}

/** Returns whether the text has several words, so that it is not an id or a code. */
function isProse(value: string): boolean {
  return /\p{L}\S*\s+\S*\p{L}/u.test(value)
}

function ifChanged(before: string, after: string): string | undefined {
  return before === after ? undefined : after
}

function isJson(text: string): boolean {
  if (!/^\s*[[{"\d-]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
