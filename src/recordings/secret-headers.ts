// Decides which header values may be credentials: by the name of the header, and for unknown names by the value.
import { snakeCase } from './snake-case.ts'

/** Headers that never contain credentials, although their names or values may look like it. */
const HARMLESS = new RegExp(
  `^(${[
    'accept.*|access-control-.*|age|allow|alt-svc|cache-control|connection|content-.*|cross-origin-.*|date|etag|expect|expires',
    'host|idempotency-key|if-.*|keep-alive|last-modified|link|max-forwards|permissions-policy|pragma|priority|range|refresh',
    'origin|location|referer|retry-after|sec-ch-.*|sec-fetch-.*|server|server-timing|strict-transport-security|te|trailer',
    'transfer-encoding|upgrade.*|user-agent|vary|via|(www|proxy)-authenticate|traceparent|tracestate|cf-ray|x-amz-cf-id',
    'x-amzn-(requestid|trace-id)|x-cloud-trace-context|(x-)?(request|correlation|trace)-id|x-forwarded-.*|x-frame-options',
    'x-content-type-options|x-powered-by|x-psp-(dry-run|event-id|signature|simulate|timestamp)|(x-)?rate-?limit.*|x-real-ip|x-service-signature',
  ].join('|')})$`,
)

/** Names with one of these words contain credentials. Short words must be whole. */
const CREDENTIALS =
  /token|secret|passw|passphrase|credential|cookie|session|bearer|api_?key|(^|_)(auth|authorization|authentication|jwt|[cx]srf|key|otp|pass|pin|sig|signature)(_|$)/

/** The words before credentials in `Authorization`. */
const SCHEME = /^(basic|bearer|digest|hawk|negotiate|ntlm|token|apikey|aws4-hmac-sha256) (?=\S)/i

/** Whether the name of the header says that it contains credentials. */
export function isSecretHeader(name: string): boolean {
  return !isHarmless(name) && CREDENTIALS.test(snakeCase(name))
}

/** Returns the scheme with the space after it, or an empty text. */
export function schemeOf(name: string, value: string): string {
  return /authorization$/i.test(name) ? (SCHEME.exec(value)?.[0] ?? '') : ''
}

/** Replaces the parts of a value that look like credentials, if the header is not a known one. */
export function withoutRandomParts(name: string, value: string, replacement: string): string {
  return isHarmless(name) ? value : value.replace(PART, (part) => (looksRandom(part) ? replacement : part))
}

/** Whether the header is known to contain no credentials and no personal data. */
export function isHarmless(name: string): boolean {
  return HARMLESS.test(name.toLowerCase())
}

const PART = /[\w+/=~.-]{16,}/g

/** Bits per character, above which a text is not written by a person. Hexadecimal digits have up to 4. */
const RANDOM = 3

/** Several kinds of characters without much repetition, or a word that is longer than any real one. */
function looksRandom(text: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(text)).length
  return (kinds > 1 && entropy(text) >= RANDOM) || /[A-Za-z\d]{20,}/.test(text)
}

/** Returns Shannon's entropy in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}
