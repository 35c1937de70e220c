// Detects an endpoint that returns the same response to every request, and therefore does not verify signatures.

import { isAccepted } from '../domain/http-response.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { SIGNATURE_STATUSES } from '../domain/remediation.ts'
import type { MessageValues } from './check.ts'
import { buildMessage } from './message.ts'
import { isWebPage } from './page.ts'
import type { HandlerResponse, Send } from './ports.ts'
import { eventBody, paidPayment } from './sample.ts'

/** The response that every request gets, with its cause and fix. */
export interface ConstantResponse {
  readonly why: string
  /** Omitted if the check's fix applies. */
  readonly fix?: string
  /** True if the response is a 2xx with a web page, so the URL does not lead to a webhook handler. */
  readonly page: boolean
}

/** @param valid the response to a webhook with a valid signature */
export async function detectConstantResponse(
  valid: HandlerResponse,
  send: Send,
  values: () => MessageValues,
): Promise<ConstantResponse | undefined> {
  const { status } = valid
  if (status === undefined || valid.error !== undefined || (isAccepted(valid) && !isWebPage(valid.text)))
    return undefined
  const blank = await unsigned(send, values())
  if (blank.status !== status || isWebPage(blank.text) !== isWebPage(valid.text)) return undefined
  // Such a status may be about the signature. Different response bodies show that the handler checked it.
  if (SIGNATURE_STATUSES.includes(status) && blank.text !== valid.text) return undefined
  const fix = causeOf(status, valid)
  const why = `the URL responds ${status} to every request, whether or not the signature is valid`
  return { why, page: isAccepted(valid), ...omitUndefined({ fix }) }
}

function unsigned(send: Send, values: MessageValues): Promise<HandlerResponse> {
  return send(
    buildMessage(values, eventBody(values, 'payment.succeeded', paidPayment(values)), { signature: () => undefined }),
  )
}

function causeOf(status: number, response: HandlerResponse): string | undefined {
  if (isAccepted(response)) {
    return 'The response is a web page, with or without a signature. This URL leads to a site, not to the webhook handler. Check the port and the path.'
  }
  if (status === 400) return undefined
  const known = BY_STATUS[status]
  if (known !== undefined) return known
  if (status >= 300 && status < 400)
    return 'The URL redirects, and the service does not follow redirects. Give the final URL.'
  if (status >= 500) return 'The handler fails before it checks the signature. See its log for the cause.'
  return 'The request is rejected before the signature is checked. Check the URL, and any proxy or middleware in front of the handler.'
}

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'Either the path requires a login: exempt webhooks from it. Or the handler verifies with another secret: pass it with --secret.',
  404: 'Nothing is at this path. Check the URL, its port and its path.',
  405: 'The path does not accept POST. Allow POST, or check the URL.',
  410: 'This path no longer exists. Check the URL.',
  413: 'Raise the body limit of the body parser and of the proxy.',
  415: 'Accept application/json on this path.',
  429: 'Exempt webhooks from the rate limit.',
  403: 'Exempt webhooks from login and CSRF protection. They carry a signature instead.',
}
