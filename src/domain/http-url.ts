// URLs: how they are parsed and checked, and the regular expressions for them in the OpenAPI documents.

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
export const IPV4 = `${OCTET}(\\.${OCTET}){3}`

const GROUP = '[0-9A-Fa-f]{1,4}'
/** The groups before and after `::`, at most seven in all. */
const SHORTENED = [1, 2, 3, 4, 5, 6].map((before) => `(${GROUP}:){1,${before}}(:${GROUP}){1,${7 - before}}`)
/** IPv6 without an embedded IPv4 address. */
export const IPV6 = `((${GROUP}:){7}${GROUP}|(${GROUP}:){1,7}:|${SHORTENED.join('|')}|:(:${GROUP}){1,7}|::)`

const REST = '([A-Za-z0-9_-]*[A-Za-z0-9_])?'
const LABEL = `[A-Za-z0-9_]${REST}`
/** The last label must not be a number, because URL parsers read `1`, `0x7f.1` and `1.2.3` as addresses. */
const LAST_LABEL = `([A-Za-z_]${REST}|[0-9]+[A-WYZa-wyz_]${REST}|[0-9]+-[A-Za-z0-9_-]*[A-Za-z0-9_])`
/** The host of a URL, in ASCII. */
const HOST = `((${LABEL}\\.)*${LAST_LABEL}\\.?|${IPV4}|\\[(${IPV6}|::[fF]{4}:${IPV4})\\])`
const PORT = '([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])'

const AFTER_SCHEME = `://${HOST}(:${PORT})?([/?#][^\\s\\x00-\\x1f\\x7f-\\x9f]*)?`

/** The pattern in the documents: an http or https URL with a host in ASCII and without a user name. */
export const HTTP_URL_PATTERN = `^[hH][tT][tT][pP][sS]?${AFTER_SCHEME}$`

/** Same as {@link HTTP_URL_PATTERN}, but only https. */
export const HTTPS_URL_PATTERN = `^[hH][tT][tT][pP][sS]${AFTER_SCHEME}$`

const ASCII_HOST = new RegExp(`^${HOST}$`)
const IPV4_HOST = new RegExp(`^${IPV4}$`)
const ASCII_HOST_AND_PORT = new RegExp(`^${HOST}(:${PORT})?$`)

/**
 * Whether `text` is an absolute http or https URL without white space and control characters, and with a valid host. (A
 * URL parser also accepts `shop*.example`.) A host that is not ASCII is checked in its ASCII form, and a numeric host
 * as an address.
 */
export function isHttpUrl(text: string): boolean {
  const [, host = ''] = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#]+)/i.exec(text) ?? []
  if (host === '' || /[\s\p{Cc}]/u.test(text)) return false
  const url = parsedUrl(text)
  if (url === undefined) return false
  const isConverted = /[^\0-\x7f]/.test(host) || IPV4_HOST.test(url.hostname)
  return isConverted ? ASCII_HOST.test(url.hostname) : ASCII_HOST_AND_PORT.test(host)
}

/**
 * Parses a URL, absolute or relative to the base. Returns `undefined` if the text is not a URL. Does not use
 * `URL.canParse`, because in Node 20 its compiled code rejects all strings with Latin-1 letters outside ASCII.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

const BEFORE_HOST = /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#\\]*@/i

/** Whether a URL is like `http://user:pw@host/`. */
export function hasUserInfo(url: string): boolean {
  return BEFORE_HOST.test(url)
}

/** The expected value, for error messages. */
export const WITHOUT_USER_INFO = 'a URL without user name and password (a token in the path or the query is allowed)'

/** Replaces `http://user:pw@host/` by `http://***@host/` anywhere in a text, including JSON. */
export function maskUserInfo(text: string): string {
  return text.includes('@') ? text.replace(/(https?:(?:\\?\/){2})[^\s/?#"'\\]*@/gi, '$1***@') : text
}
