import { HOST, IPV4, PORT } from './host-pattern.ts'
import { parsedUrl } from './parsed-url.ts'

const AFTER_SCHEME = `://${HOST}(:${PORT})?([/?#][^\\s\\x00-\\x1f\\x7f-\\x9f]*)?`

/** The pattern in the documents: an http or https URL with a host in ASCII and without a user name. */
export const HTTP_URL_PATTERN = `^[hH][tT][tT][pP][sS]?${AFTER_SCHEME}$`

/** Same as {@link HTTP_URL_PATTERN}, but only https. */
export const HTTPS_URL_PATTERN = `^[hH][tT][tT][pP][sS]${AFTER_SCHEME}$`

const ASCII_HOST = new RegExp(`^${HOST}$`)
const IPV4_HOST = new RegExp(`^${IPV4}$`)
const ASCII_HOST_AND_PORT = new RegExp(`^${HOST}(:${PORT})?$`)

/**
 * Whether `text` is an absolute http or https URL without white space and control characters, and with a possible host. (A URL
 * parser also accepts `shop*.example`.) A host in another script is checked in its ASCII form, and a number as an address.
 */
export function isHttpUrl(text: string): boolean {
  const [, host = ''] = /^https?:\/\/(?:[^/?#\\]*@)?([^/?#]+)/i.exec(text) ?? []
  if (host === '' || /[\s\p{Cc}]/u.test(text)) return false
  const url = parsedUrl(text)
  if (url === undefined) return false
  const isOther = /[^\0-\x7f]/.test(host) || IPV4_HOST.test(url.hostname)
  return isOther ? ASCII_HOST.test(url.hostname) : ASCII_HOST_AND_PORT.test(host)
}
