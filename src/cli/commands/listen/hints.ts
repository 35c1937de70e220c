// Why a receiver may have refused, in one line for each kind of refusal.
import type { Answer } from './forwarder.ts'

/** `undefined` where there is nothing to say. */
export function hintFor({ status, errorCode }: Answer): string | undefined {
  if (status === undefined) return errorCode === undefined ? undefined : BY_CODE[errorCode]
  if (status >= 300 && status < 400) return 'Webhooks are not redirected: forward to the final address.'
  return BY_STATUS[status]
}

const SIGNATURE =
  'Check that it verifies the raw body, and with the secret of `psp listen --print-secret`; `psp verify --explain` finds the cause.'

const BY_STATUS: Readonly<Record<number, string>> = {
  400: SIGNATURE,
  401: SIGNATURE,
  403: 'The receiver forbids it: webhooks carry a signature, no login and no CSRF token.',
  404: 'The receiver has no such path: check the address after --forward.',
  405: 'The receiver takes no POST on this path.',
  415: 'The receiver does not take application/json.',
  429: 'The receiver limits its callers; webhooks are tried again later.',
}

const CERTIFICATE = 'Its certificate is not trusted here: forward to http://, or set NODE_EXTRA_CA_CERTS.'

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Is your server running? Nothing listens there.',
  ENOTFOUND: 'The host name is unknown: check the address after --forward.',
  ETIMEDOUT: 'Answer first and work afterwards, or give it longer with --timeout.',
  ECONNRESET: 'Your server cut the connection: look at its log.',
  UND_ERR_SOCKET: 'Your server cut the connection: look at its log.',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  EPROTO: 'It does not speak TLS: forward to http://.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS: forward to http://.',
}
