// Spec 6.1, Receiver rules: what goes wrong in a receiver and how to mend it. One wording for the delivery log, the
// listener, `verify --explain` and the audit.
import { RAW_BODY_CODE, rawBodyAdvice } from './raw-body-code.ts'

/** How to mend what a signature stumbles over, by cause. */
export const FIXES = {
  raw_bytes: `Verify the raw bytes, before any JSON parser. ${rawBodyAdvice('Express', 'Flask', 'PHP')}`,
  body_once: `Read it once, as bytes, before any parser. ${rawBodyAdvice('Express')}`,
  whole_body: 'Read until the end of the request, and count bytes, not letters, wherever a length is given.',
  secret: 'Verify with the whs_… secret of this very endpoint; each endpoint has its own.',
  secret_kind: 'thm_… signs requests to the service, whs_… signs webhooks.',
  timestamp_prefix: 'Put the value of t= and a dot before the body, "<t>.<raw body>", and compare with v2=.',
  v2: 'Compare v2=, HMAC of "<t>.<raw body>".',
  seconds: 'Divide by 1000 and round down, in t= and in what is signed.',
  slashes: `Verify the raw body, ${RAW_BODY_CODE.PHP}, and not json_encode of it.`,
  byte_order_mark: 'Save it as UTF-8 without BOM, write bytes and not text.',
  line_ends: 'Keep the bytes, open the file in binary mode, switch off autocrlf.',
  last_newline: 'Use printf and not echo, and an editor that adds none.',
} as const

const REFUSED = `${FIXES.raw_bytes} ${FIXES.secret}`

const HTTP_1_ONLY = 'psp sends webhooks over HTTP/1.1: let the receiver accept HTTP/1.1 on this port.'

const BY_STATUS: Readonly<Record<number, string>> = {
  400: REFUSED,
  401: REFUSED,
  403: 'Let webhooks in without login and CSRF token: they carry a signature.',
  404: 'The receiver has no such path: check the url.',
  405: 'Let the path take POST.',
  411: 'Read the body by its Content-Length, and let the proxy before the receiver do so.',
  413: 'Raise the limit of the body parser and of the proxy: metadata has no hard cap.',
  415: 'Take application/json on this path.',
  426: HTTP_1_ONLY,
  429: 'Leave webhooks out of the rate limit.',
  505: HTTP_1_ONLY,
}

/** What to do about a status that is not 2xx. */
export function fixForStatus(status: number): string {
  if (status >= 300 && status < 400) return 'Webhooks are not redirected: give the final url.'
  const known = BY_STATUS[status]
  if (known !== undefined) return known
  if (status >= 500) return 'Look at the log of the receiver: it failed on its own.'
  return 'Only a 2xx counts as delivered.'
}
