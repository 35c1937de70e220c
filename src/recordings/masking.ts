// Removes secrets, card numbers and personal data from bodies, headers and URLs before a file or a store gets them.
import { isUtf8 } from 'node:buffer'
import { editJson, type JsonToken } from './edit-json.ts'
import { HIDDEN, isProse, withoutCredentials } from './free-text.ts'
import { percentDecoded } from './named-values.ts'
import { fieldKind } from './personal-fields.ts'
import { createPseudonyms, type Pseudonyms, REDACTION } from './pseudonyms.ts'
import { isHarmless, isSecretHeader, schemeOf, withoutRandomParts } from './secret-headers.ts'
import { createValueMasking } from './value-masking.ts'

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
  /** Replaces only the names and phones that are known by now, in a text or a body that was masked earlier. */
  known(text: string): string
  /** The number of names and phones that fields contained. If it grows, an earlier text may contain one of them. */
  readonly knownCount: number
}

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
  const { persons, text, masked, known } = createValueMasking(pseudonyms, keepsPersonalData)

  function maskToken({ kind, path, value, label, hasContact }: JsonToken): string | undefined {
    if (kind === 'key') return ifChanged(value, text(value))
    // An amount may be as long as a phone number, but not as long as a card number.
    if (label === undefined && kind === 'number' && (value.length < 3 || (value.length < 13 && isAmountOrTime(path))))
      return undefined
    const name = label ?? path.at(-1) ?? ''
    const isHeader = isHeaderName(label === undefined ? path.at(-2) : path.find((key) => HEADERS.test(key)))
    const found = (label === undefined ? undefined : fieldKind([label])) ?? fieldKind(path, hasContact)
    if (isHeader && (found === undefined || isSecretHeader(name))) return ifChanged(value, header(name, value))
    if (found === undefined && isShortCode(path, value)) return ifChanged(value, withoutCredentials(value))
    return ifChanged(value, masked(found ?? (path.includes('metadata') && isProse(value) ? 'text' : undefined), value))
  }

  const json = (value: string) => editJson(value, maskToken)

  /** Masks `a=1&b=2`. */
  function pairs(value: string, isSecret: (name: string) => boolean = () => false): string {
    return value.replace(/([^&=?#;]*)=([^&#;]*)/g, (whole, name: string, raw: string) => {
      const plain = percentDecoded(raw)
      const after = isSecret(name) && raw !== '' ? HIDDEN : masked(fieldKind([percentDecoded(name)]), plain)
      return after === plain ? whole : `${name}=${encodeURIComponent(after)}`
    })
  }

  function url(value: string, isSecret?: (name: string) => boolean): string {
    const at = value.indexOf('?')
    const path = text(at < 0 ? value : value.slice(0, at)).replace(/[^/]*%[^/]*/g, (segment) => {
      const plain = percentDecoded(segment)
      const after = known(plain)
      return after === plain ? segment : encodeURIComponent(after)
    })
    return at < 0 ? path : `${path}?${text(pairs(value.slice(at + 1), isSecret))}`
  }

  function header(name: string, value: string): string {
    // After a login, the URL of a redirect contains a code that can be exchanged for a token.
    if (URL_HEADERS.test(name)) return url(value, (parameter) => parameter === 'code')
    const kind = isHarmless(name) ? undefined : fieldKind([name.replace(/^x-/i, '')])
    const after = kind === undefined || kind === 'secret' ? text(value) : masked(kind, value)
    if (!isSecretHeader(name) || value === '') return withoutRandomParts(name, after, HIDDEN)
    // Keeps the public part of an API key, which says which key was used.
    const scheme = schemeOf(name, value)
    return /^sk_(test|live)_[A-Za-z0-9]{6}_\*{3}$/.test(after.slice(scheme.length)) ? after : `${scheme}${HIDDEN}`
  }

  /** Masks again if a text contained a name before the field that shows it. */
  function untilKnown<T>(mask: () => T): T {
    const before = persons.count
    const result = mask()
    return persons.count === before ? result : mask()
  }

  const knownToken = ({ kind, path, value }: JsonToken) =>
    kind === 'number' || isShortCode(path, value) ? undefined : ifChanged(value, known(value))

  return {
    text: (value) => text(value),
    json: (value) => untilKnown(() => json(value)),
    body(bytes, contentType = '') {
      if (!isUtf8(bytes)) return undefined
      const before = bytes.toString('utf8')
      const edits = { json, pairs, text: (part: string) => text(part, true) }
      const after = untilKnown(() => maskBody(before, contentType.toLowerCase(), edits))
      return after === before ? bytes : Buffer.from(after)
    },
    header,
    url: (value) => url(value),
    known: (value) =>
      persons.count === 0
        ? value
        : maskBody(value, '', { json: (part) => editJson(part, knownToken), pairs: known, text: known }),
    get knownCount() {
      return persons.count
    },
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

/** A line with one document, which may be the data of an event stream. */
const JSON_LINE = /^(data: ?)?([[{].*[\]}])(?=\r?$)/gm

/** Objects and lists of the headers of a request. */
const HEADERS = /headers$/i
const isHeaderName = (key: string | undefined) => key !== undefined && HEADERS.test(key)

/** Values of fields that contain codes are not names, although a name may be spelled alike. */
const CODES = /(^|_)(id|code|status|type|kind|state|event|mode|method|currency|brand|country|locale|language|object)$/i

/** Whether a value is a single word in a field for codes, so that only secrets are looked for. */
function isShortCode(path: readonly string[], value: string): boolean {
  return value.length < 12 && CODES.test(path.at(-1) ?? '') && /^[A-Za-z_.-]*$/.test(value)
}

/** Amounts and times are numbers that are never personal. */
function isAmountOrTime(path: readonly string[]): boolean {
  return /(^|_)(amount|amount_\w+|refunded|balance|at|timestamp|time|ms)$/.test(path.at(-1) ?? '')
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
