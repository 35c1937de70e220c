// Which headers of a recording keep their values.
import { isPlain } from './plain-words.ts'

/** Headers that contain neither credentials nor personal data. The values of all others are replaced. */
const HARMLESS = new RegExp(
  `^(${[
    'accept(-(charset|encoding|language|ranges|patch|post))?|access-control-(allow|expose|max|request)-[a-z-]+|age|allow',
    'cache-control|connection|content-(encoding|language|length|range)|date|expect|expires|host|keep-alive|last-modified',
    'if-(modified-since|unmodified-since)|max-forwards|pragma|priority|range|retry-after|sec-ch-ua(-[a-z]+)*',
    'sec-fetch-(dest|mode|site|user)|server|strict-transport-security|te|trailer|transfer-encoding|vary',
    'upgrade(-insecure-requests)?|x-content-type-options|x-forwarded-(host|proto|port)|x-frame-options',
    'x-psp-(dry-run|event-id|signature|simulate|timestamp)|x-service-signature',
  ].join('|')})$`,
)

/** Headers with numbers, as in `x-ratelimit-remaining: 99`. A quoted name of a limit may be that of a user. */
const LIMITS = /^(x-)?rate-?limit(-(limit|policy|remaining|reset|used|after))?(-[a-z]{1,10})?$/
const NUMBERS = /^(?:[\d\s.,:;=wqrt-]|limit|remaining|reset|window)*$/

/** Headers whose values are ids. An id that is not known to be harmless becomes a pseudonym, so that requests can be compared. */
const IDS =
  /^((x-)?idempoten(cy|ce)-key|[a-z-]+-version|paypal-(request|debug)-id|traceparent|cf-ray|x-amz-cf-id|x-amzn-(requestid|trace-id)|(x-)?(request|correlation|trace)-id)$/

/** Headers whose values are URLs. */
const URLS = /^(location|content-location|origin)$/

/** The words before credentials in `Authorization`. */
const SCHEME = /^(basic|bearer|digest|hawk|negotiate|ntlm|token|apikey|aws4-hmac-sha256) (?=\S)/i

/** A challenge that names only its scheme and its realm. */
const CHALLENGE = /^[A-Za-z]{1,20}(?: realm="([^"\\]{0,100})")?$/
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?/i

/** Returns the type without parameters except `charset`, or an empty text. */
export function mediaType(value: string | undefined): string {
  return MEDIA_TYPE.exec(value ?? '')?.[0] ?? ''
}

/** How the value of a header is recorded. */
export function headerRule(name: string, value: string): 'keep' | 'id' | 'url' | 'replace' {
  const key = name.toLowerCase()
  if (key === 'content-type') return mediaType(value) === value ? 'keep' : 'replace'
  if (key === 'www-authenticate' || key === 'proxy-authenticate') {
    const challenge = CHALLENGE.exec(value)
    return challenge !== null && isPlain(challenge[1] ?? '') ? 'keep' : 'replace'
  }
  if (LIMITS.test(key)) return NUMBERS.test(value) || /^[A-Z][a-z]{2}, \d\d /.test(value) ? 'keep' : 'replace'
  if (IDS.test(key)) return 'id'
  return URLS.test(key) ? 'url' : HARMLESS.test(key) ? 'keep' : 'replace'
}

/** Returns the scheme with the space after it, or an empty text. */
export function schemeOf(name: string, value: string): string {
  return /authorization$/i.test(name) ? (SCHEME.exec(value)?.[0] ?? '') : ''
}
