// Which headers of a recording keep their values.

/** Headers that contain neither credentials nor personal data. The values of all others are replaced. */
const HARMLESS = new RegExp(
  `^(${[
    'accept(-(charset|encoding|language|ranges|patch|post))?|access-control-(allow|expose|max|request)-[a-z-]+|age|allow|alt-svc',
    'cache-control|connection|content-(disposition|encoding|language|length|range|security-policy|type)|cross-origin-[a-z]+-policy',
    'date|etag|expect|expires|host|idempotency-key|if-(match|modified-since|none-match|range|unmodified-since)|keep-alive',
    'last-modified|link|max-forwards|origin-agent-cluster|permissions-policy|pragma|priority|range|refresh|retry-after',
    'sec-ch-ua(-[a-z]+)*|sec-fetch-(dest|mode|site|user)|server|server-timing|strict-transport-security|te|trailer',
    'traceparent|tracestate|transfer-encoding|upgrade(-insecure-requests)?|vary|via|www-authenticate|proxy-authenticate',
    'cf-ray|x-amz-cf-id|x-amzn-(requestid|trace-id)|x-cloud-trace-context|(x-)?(request|correlation|trace)-id',
    'x-content-type-options|x-forwarded-(host|proto|port|prefix)|x-frame-options|x-powered-by|(x-)?rate-?limit(-[a-z]+)*',
    'x-psp-(dry-run|event-id|signature|simulate|timestamp)|x-service-signature',
  ].join('|')})$`,
)

/** Headers whose values are URLs. */
const URLS = /^(location|content-location|origin)$/

/** The words before credentials in `Authorization`. */
const SCHEME = /^(basic|bearer|digest|hawk|negotiate|ntlm|token|apikey|aws4-hmac-sha256) (?=\S)/i

/** How the value of a header is recorded. */
export function headerRule(name: string): 'keep' | 'url' | 'replace' {
  const key = name.toLowerCase()
  return URLS.test(key) ? 'url' : HARMLESS.test(key) ? 'keep' : 'replace'
}

/** Returns the scheme with the space after it, or an empty text. */
export function schemeOf(name: string, value: string): string {
  return /authorization$/i.test(name) ? (SCHEME.exec(value)?.[0] ?? '') : ''
}
