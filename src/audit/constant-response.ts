// A path that answers one thing to everything, signed rightly or not at all, judges no signature: that comes before all else.
import type { Ground } from './check.ts'
import { isTaken } from './judge.ts'
import { message } from './message.ts'
import type { Answer, Send } from './ports.ts'
import { eventBody, paidPayment } from './sample.ts'

/** What is answered to everything, and why, with what to do about it. */
export interface ConstantResponse {
  readonly why: string
  /** Absent where the check's own is to the point. */
  readonly fix?: string
  /** It takes everything: a page, and no handler. */
  readonly page: boolean
}

/** @param valid the answer to a webhook that is signed rightly */
export async function detectConstantResponse(
  valid: Answer,
  send: Send,
  ground: () => Ground,
): Promise<ConstantResponse | undefined> {
  const { status } = valid
  if (status === undefined || valid.error !== undefined || (isTaken(valid) && !isPage(valid))) return undefined
  const blank = await unsigned(send, ground())
  if (blank.status !== status || isPage(blank) !== isPage(valid)) return undefined
  if (OF_SIGNATURES.includes(status) && blank.text !== valid.text) return undefined
  const fix = causeOf(status, valid)
  const why = `it answers ${status} to everything, signed rightly or not at all`
  return { why, page: isTaken(valid), ...(fix === undefined ? {} : { fix }) }
}

/** With these a handler may speak of the signature: its words tell whether it looked at it. */
const OF_SIGNATURES = [400, 401, 403]

function unsigned(send: Send, ground: Ground): Promise<Answer> {
  return send(
    message(ground, eventBody(ground, 'payment.succeeded', paidPayment(ground)), { signature: () => undefined }),
  )
}

/** `<!doctype html>`: a web page, and no answer of a webhook handler. */
function isPage({ text }: Answer): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(text)
}

function causeOf(status: number, answer: Answer): string | undefined {
  if (isTaken(answer)) {
    return 'A web page comes, signed or not: this is a site and not the webhook handler. Check the port and the path.'
  }
  if (status === 400) return undefined
  const known = BY_STATUS[status]
  if (known !== undefined) return known
  if (status >= 300 && status < 400) return 'It redirects, and webhooks are not redirected: give the final url.'
  if (status >= 500) return 'It fails before it looks at the signature: its log tells why.'
  return 'It refuses before it looks at the signature: check the url, and what stands before the handler.'
}

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Either a login stands before the handler: let webhooks in without it. Or it verifies with a secret that is not known here: --secret.',
  404: 'Nothing is there at this path: check the url, its port and its path.',
  405: 'The path is there and takes no POST: let it take POST, or check the url.',
  410: 'Nothing is there at this path any more: check the url.',
  413: 'Raise the limit of the body parser and of the proxy.',
  415: 'Let the path take application/json.',
  429: 'Leave webhooks out of the rate limit.',
  403: 'Let webhooks in without login and CSRF token: they carry a signature.',
}
