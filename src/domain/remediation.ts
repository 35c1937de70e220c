// Spec 6.1, Receiver rules: common mistakes of a receiver and their fixes. The delivery log, the listener,
// `verify --explain` and the audit share this wording.

/** Code that returns the received bytes of a body in each framework. `test/frameworks` runs each entry. */
export const RAW_BODY_CODE = {
  Express: 'express.raw({ type: "application/json", limit: "2mb" })',
  Fastify:
    'app.addContentTypeParser("application/json", { parseAs: "buffer", bodyLimit: 2097152 }, (request, body, done) => done(null, body))',
  Hono: 'await c.req.arrayBuffer()',
  Flask: 'request.get_data()',
  FastAPI: 'await request.body()',
  Django: 'request.body',
  PHP: 'file_get_contents("php://input")',
  Go: 'io.ReadAll(r.Body)',
} as const

export type Framework = keyof typeof RAW_BODY_CODE

/** Returns `Flask: request.get_data(). PHP: …` for the given frameworks. */
export function rawBodyAdvice(...frameworks: readonly Framework[]): string {
  return frameworks.map((name) => `${name}: ${RAW_BODY_CODE[name]}${POSITIONS[name] ?? ''}.`).join(' ')
}

/** The position of the code, if it matters. */
const POSITIONS: { readonly [name in Framework]?: string } = { Express: ' on this route, above express.json()' }

/** The fix of each cause of a signature mismatch. */
export const FIXES = {
  raw_bytes: `Verify the raw bytes, before any JSON parser. ${rawBodyAdvice('Express', 'Flask', 'PHP')}`,
  body_once: `Read it once, as bytes, before any parser. ${rawBodyAdvice('Express')}`,
  whole_body: 'Read until the end of the request, and measure lengths in bytes, not in characters.',
  secret:
    'Verify with the whs_… secret of this endpoint. Behind `psp listen` it is the secret of the shop: `psp listen --print-secret`.',
  secret_kind: 'thm_… signs requests to the service, whs_… signs webhooks.',
  timestamp_prefix: 'Prepend the value of t= and a dot to the body, "<t>.<raw body>", and compare with v2=.',
  v2: 'Compare v2=, HMAC of "<t>.<raw body>".',
  seconds: 'Divide by 1000 and round down, both in t= and in the signed text.',
  slashes: `Verify the raw body, ${RAW_BODY_CODE.PHP}, not its json_encode output.`,
  byte_order_mark: 'Save it as UTF-8 without BOM. Write bytes, not text.',
  line_ends: 'Keep the bytes: open the file in binary mode, and disable autocrlf.',
  last_newline: 'Use printf instead of echo, and an editor that adds no newline.',
} as const

const REJECTED_SIGNATURE_FIX = `${FIXES.raw_bytes} ${FIXES.secret}`

/** The statuses with which receivers usually reject a signature. */
export const SIGNATURE_STATUSES: readonly number[] = [400, 401, 403]

const HTTP_1_ONLY = 'psp sends webhooks over HTTP/1.1. Accept HTTP/1.1 on this port.'

const BY_STATUS: Readonly<Record<number, string>> = {
  400: REJECTED_SIGNATURE_FIX,
  401: REJECTED_SIGNATURE_FIX,
  403: 'Exempt webhooks from login and CSRF protection. They carry a signature instead.',
  404: 'The receiver has no such path. Check the URL.',
  405: 'Accept POST on this path.',
  411: 'Read the body by its Content-Length. This also applies to a proxy in front of the receiver.',
  413: 'Raise the body limit of the body parser and of the proxy. A webhook contains metadata, which has no hard limit.',
  415: 'Accept application/json on this path.',
  426: HTTP_1_ONLY,
  429: 'Exempt webhooks from the rate limit.',
  505: HTTP_1_ONLY,
}

/** Words in the response from a receiver that name the cause of a rejected signature. The first match counts. */
const CLUES: readonly (readonly [words: RegExp, fix: string])[] = [
  [/csrf|forgery/i, BY_STATUS[403] as string],
  [
    /timestamp|too old|stale|toleran|expired|clock/i,
    "The receiver rejects the time of the signature. Compare t=, in seconds, with the machine's clock, not the sandbox's, and allow 5 minutes.",
  ],
  [/\braw\b|payload|unexpected token|not valid json|pars/i, FIXES.raw_bytes],
  [/secret|whs_|thm_/i, `${FIXES.secret} ${FIXES.secret_kind}`],
]

/**
 * Returns the fix for a response that is not 2xx. If the receiver rejects a signature, the body may name the reason.
 * @param text the body of the response
 */
export function fixForResponse(status: number, text: string): string {
  const mayRejectSignature = SIGNATURE_STATUSES.includes(status)
  const clue = mayRejectSignature ? CLUES.find(([words]) => words.test(text.slice(0, MAX_CLUE_LENGTH))) : undefined
  return clue?.[1] ?? fixForStatus(status)
}

/**
 * Returns the fixes for a response that is not 2xx, the most likely first. There are several only if the receiver
 * rejected the signature without a reason.
 * @param hasAccepted whether the receiver has accepted another webhook
 */
export function fixesForResponse(status: number, text: string, hasAccepted: boolean): readonly string[] {
  const fix = fixForResponse(status, text)
  if (fix !== REJECTED_SIGNATURE_FIX) return [fix]
  if (hasAccepted) return [FIXES.raw_bytes, FIXES.secret]
  return [`Nothing has been accepted at this URL yet, so check the secret first. ${FIXES.secret}`, FIXES.raw_bytes]
}

/** Number of characters of a response that are searched for a cause. */
const MAX_CLUE_LENGTH = 2000

/** Returns the fix for a status that is not 2xx. */
export function fixForStatus(status: number): string {
  if (status >= 300 && status < 400) return 'The service does not follow redirects. Give the final URL.'
  const known = BY_STATUS[status]
  if (known !== undefined) return known
  if (status > 599) return 'This is not an HTTP status. Respond with a status from 200 to 599.'
  if (status >= 500) return 'The receiver failed with an internal error. See its log.'
  return 'Only a 2xx counts as delivered.'
}
