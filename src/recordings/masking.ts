// Removes secrets, card numbers and personal data from bodies, headers and URLs before a file or a store gets them.
import { isUtf8 } from 'node:buffer'
import { cardDigits, cardMask, replaceCards } from '../domain/card-masking.ts'
import { maskSecrets } from '../domain/secret-masking.ts'
import { editJson, type JsonToken } from './edit-json.ts'
import { type FieldKind, fieldKind } from './personal-fields.ts'
import { createPseudonyms, type Pseudonyms, REDACTION } from './pseudonyms.ts'
import { isSecretHeader, schemeOf, withoutRandomParts } from './secret-headers.ts'

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
  function text(value: string): string {
    const masked = maskSecrets(value)
      .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN)
      .replace(/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, HIDDEN)
    // Card numbers come last, because a pseudonym of a phone or an email contains none.
    return replaceCards(keepsPersonalData ? masked : contacts(masked), card)
  }

  function contacts(value: string): string {
    return value.replace(CONTACTS, (found: string, email: string | undefined, phone: string | undefined) => {
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
    return personal(kind, value)
  }

  function personal(kind: Exclude<FieldKind, 'secret' | 'card'>, value: string): string {
    if (kind === 'code_or_text') return /^[a-z0-9_.:-]{1,64}$/.test(value) ? text(value) : pseudonyms.text(value)
    return kind === 'phone' && /\p{L}/u.test(value) ? pseudonyms.text(value) : pseudonyms[kind](value)
  }

  function token({ kind, path, value }: JsonToken): string | undefined {
    if (kind === 'key') return changed(value, text(value))
    // An amount may be as long as a phone number, but not as long as a card number.
    if (kind === 'number' && (value.length < 3 || (value.length < 13 && isAmount(path)))) return undefined
    return changed(value, field(path, value))
  }

  const json = (value: string) => editJson(value, token)

  /** Masks `a=1&b=2`. */
  function pairs(value: string): string {
    return value.replace(/([^&=?#;]*)=([^&#;]*)/g, (whole, name: string, raw: string) => {
      const plain = percentDecoded(raw)
      const masked = field([percentDecoded(name)], plain)
      return masked === plain ? whole : `${name}=${encodeURIComponent(masked)}`
    })
  }

  function bodyText(value: string, contentType: string): string {
    if (isJson(value)) return json(value)
    if (contentType.includes('x-www-form-urlencoded')) return pairs(value)
    // Event streams and logs contain one JSON document a line.
    return value.replace(
      /^(data: ?)?([[{].*[\]}])(?=\r?$)|.+/gm,
      (line, prefix: string | undefined, document?: string) =>
        document !== undefined && isJson(document) ? `${prefix ?? ''}${json(document)}` : text(line),
    )
  }

  function url(value: string): string {
    const at = value.indexOf('?')
    return at < 0 ? text(value) : `${text(value.slice(0, at))}?${text(pairs(value.slice(at + 1)))}`
  }

  return {
    text,
    json,
    body(bytes, contentType = '') {
      if (!isUtf8(bytes)) return undefined
      const before = bytes.toString('utf8')
      const after = bodyText(before, contentType.toLowerCase())
      return after === before ? bytes : Buffer.from(after)
    },
    header(name, value) {
      if (URL_HEADERS.test(name)) return url(value)
      const masked = text(value)
      if (!isSecretHeader(name) || value === '') return withoutRandomParts(name, masked, HIDDEN)
      // Keeps the public part of an API key, which says which key was used.
      const scheme = schemeOf(name, value)
      return /^sk_(test|live)_[A-Za-z0-9]{6}_\*{3}$/.test(masked.slice(scheme.length)) ? masked : `${scheme}${HIDDEN}`
    },
    url,
  }
}

/** In this order: UUID, hash, email, phone. UUIDs and hashes stay as they are. */
const CONTACTS = new RegExp(
  [
    String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
    String.raw`\b(?=\d*[a-f])[\da-f]{32,}\b`,
    String.raw`(?<email>[\p{L}\d][\p{L}\d.!#$%&'*+/=?^_{|}~-]{0,63}@[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?(?:\.[\p{L}\d-]+)+)`,
    String.raw`(?<phone>(?:\+|%2[Bb])\d(?:[ ().\u00a0-]{0,2}\d){7,14}(?!\d)|(?<![\d.])[78][ (\u00a0-]{0,2}9\d{2}[ )\u00a0-]{0,2}\d{3}[ \u00a0-]?\d{2}[ \u00a0-]?\d{2}(?![\d]))`,
  ].join('|'),
  'giu',
)

/** Amounts and times are numbers that are never personal. */
function isAmount(path: readonly string[]): boolean {
  return /(^|_)(amount|amount_\w+|refunded|balance|at|timestamp|time|ms)$/.test(path.at(-1) ?? '')
}

/** Returns whether the text has several words, so that it is not an id or a code. */
function isProse(value: string): boolean {
  return /\p{L}\S*\s+\S*\p{L}/u.test(value)
}

function changed(before: string, after: string): string | undefined {
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

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
