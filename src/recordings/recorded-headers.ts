// Decides which headers of a recording keep their values.
import { isHarmless } from './kept-text.ts'
import { isPlain } from './plain-words.ts'
import { HIDDEN } from './sensitive-text.ts'

/** Headers whose values are words and numbers of HTTP. Headers that this file does not name lose their values. */
const TOKENS = new RegExp(
  `^(${[
    'accept(-(charset|encoding|ranges|patch|post))?|access-control-(allow|expose|max|request)-[a-z-]+|age|allow',
    'cache-control|connection|content-(encoding|length|range)|expect|expires|keep-alive',
    'max-forwards|pragma|priority|range|retry-after',
    'sec-fetch-(dest|mode|site|user)|server|strict-transport-security|te|trailer|transfer-encoding|vary',
    'upgrade(-insecure-requests)?|x-content-type-options|x-forwarded-(proto|port)|x-frame-options|x-psp-(dry-run|simulate|timestamp)',
  ].join('|')})$`,
)
/** Words of HTTP, of its software and of media types. They are kept only in headers. */
const HTTP_WORDS: ReadonlySet<string> = new Set(
  [
    'accel apache avif br brotli buffering bytes caddy chunked cloudflare compress cors cowboy deflate deno documentation envoy ept',
    'express fastly fetch font gunicorn gzip haproxy hypercorn identity iis immutable includesubdomains istio jetty kestrel',
    'keep alive microsoft multipart navigate nginx noopen nosniff octet openresty plain preflight preload puma revalidate',
    'rsc sameorigin soft stale stream svg trailers transform tomcat unicorn uvicorn urlencoded webp websocket werkzeug xhtml',
    'api atom calendar cbor css csv gif graphql hal javascript jose jpeg markdown merge msgpack multipart ndjson pdf png problem',
    'protobuf rss siren vnd xml yaml zip',
    'zstd h2c options head post put patch delete get q www form',
  ].flatMap((line) => line.split(' ')),
)
const LONGEST = 500
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const DATES = /^(date|expires|last-modified|if-(un)?modified-since|retry-after)$|rate-?limit-reset$/
const LANGUAGES = /^(accept|content)-language$/
const LANGUAGE = /^(?:(?:[a-z]{2}(?:-[A-Z]{2})?|\*)(?:; ?q=[01](?:\.\d{1,3})?)?(?:, ?|$))+$/
const HOSTS = /^(host|x-forwarded-host)$/
const HOST = /^(?:[a-z\d._-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const SIGNATURES = /^(x-psp-signature|x-service-signature)$/
const SIGNATURE = /^(?:(?:t=\d{1,13}|v\d=[\da-f]{64}|(?:sha256=)?[\da-f]{64})(?:, ?|$))+$/i
const MEDIA = /^(?:application|audio|font|image|message|model|multipart|text|video)\//i
const CHARSET =
  /^[^;]*(?:; ?charset=(?:utf-?8|utf-16(?:le|be)?|us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-r|gbk|shift_jis))?$/i

/** Headers of {@link TOKENS} with numbers. */
const NUMERIC =
  /^(access-control-max-age|age|cache-control|content-(length|range)|expires|keep-alive|max-forwards|priority|range|retry-after|strict-transport-security|upgrade-insecure-requests|x-forwarded-port|x-psp-timestamp)$/
/** Numbers in other headers: a quality, the version of a program, and the status in `Expect`. */
const WORD_NUMBERS = /; ?q=[01](?:\.\d{1,3})?|\/\d{1,3}(?:\.\d{1,5}){0,3}(?![\d.])|^100(?=-)/gi

function isOfTokens(name: string, value: string): boolean {
  if (value.length > LONGEST) return false
  const isNumeric = NUMERIC.test(name)
  const words = (isNumeric ? value : value.replace(WORD_NUMBERS, '')).match(/[^\s,;=/"()*:-]+/g) ?? []
  return words.every((word) => (isNumeric && /^\d{1,10}$/.test(word)) || isHttpWord(word))
}

function isHttpWord(word: string): boolean {
  return HTTP_WORDS.has(word.toLowerCase()) || (isHarmless(word) && !/^\d+$/.test(word))
}

/** Headers with numbers, as in `x-ratelimit-remaining: 99`. A quoted name of a limit may be the name of a user. */
const LIMITS = /^(x-)?rate-?limit(-(limit|policy|remaining|reset|used|after))?(-[a-z]{1,10})?$/
const NUMBERS = /^(?:[\d\s.,:;=wqrt-]|limit|remaining|reset|window)*$/

/** Headers whose values are ids. A pseudonym replaces an id that may be personal, so that requests can be compared. */
const IDS =
  /^((x-)?idempoten(cy|ce)-key|[a-z-]+-version|paypal-(request|debug)-id|traceparent|x-psp-event-id|cf-ray|x-amz-cf-id|x-amzn-(requestid|trace-id)|(x-)?(request|correlation|trace)-id)$/

/** Headers whose values are URLs. */
const URLS = /^(location|content-location|origin)$/

/** The words before credentials in `Authorization`. */
const SCHEME = /^(basic|bearer|digest|hawk|negotiate|ntlm|token|apikey|aws4-hmac-sha256) (?=\S)/i

/** A challenge that names only its scheme and its realm. */
const CHALLENGE = /^(?:basic|bearer|digest|hawk|hoba|mutual|negotiate|ntlm|token|apikey)(?: realm="([^"\\]{0,100})")?$/i
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?/i

/** Returns the media type with no parameter except `charset`, or an empty string. */
export function mediaType(value: string | undefined): string {
  return MEDIA_TYPE.exec(value ?? '')?.[0] ?? ''
}

/**
 * Returns the media type as it is recorded: unknown words are hidden, and the words that say how to read the body are
 * kept. Returns an empty string for an unknown type, and for any parameter other than a known `charset`.
 */
export function recordedMediaType(type: string): string {
  const [, kind = '', format = '', rest = ''] = /^([^/]*\/)([^;]*)(.*)$/s.exec(type) ?? []
  if (!MEDIA.test(type) || !CHARSET.test(type)) return ''
  return `${kind}${format.replace(/[^.+-]+/g, (word) => (isHttpWord(word) ? word : HIDDEN))}${rest}`
}

/** Returns how the value of a header is recorded. */
export function headerRule(name: string, value: string): 'keep' | 'id' | 'url' | 'type' | 'replace' {
  const key = name.toLowerCase()
  if (key === 'content-type') return mediaType(value) === value && recordedMediaType(value) !== '' ? 'type' : 'replace'
  if (DATES.test(key) && DATE.test(value)) return 'keep'
  if (LANGUAGES.test(key)) return LANGUAGE.test(value) ? 'keep' : 'replace'
  if (HOSTS.test(key)) return HOST.test(value) ? 'keep' : 'replace'
  if (SIGNATURES.test(key)) return SIGNATURE.test(value) ? 'keep' : 'replace'
  if (key === 'www-authenticate' || key === 'proxy-authenticate') {
    const challenge = CHALLENGE.exec(value)
    return challenge !== null && isPlain(challenge[1] ?? '') ? 'keep' : 'replace'
  }
  if (LIMITS.test(key)) return NUMBERS.test(value) ? 'keep' : 'replace'
  if (IDS.test(key)) return 'id'
  if (URLS.test(key) || (key === 'access-control-allow-origin' && value.includes('://'))) return 'url'
  return TOKENS.test(key) && isOfTokens(key, value) ? 'keep' : 'replace'
}

/** Returns the scheme of an authorization header with the space after it, or an empty string. */
export function schemeOf(name: string, value: string): string {
  return /authorization$/i.test(name) ? (SCHEME.exec(value)?.[0] ?? '') : ''
}
