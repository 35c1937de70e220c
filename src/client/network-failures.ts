// Explains why a request got no response, by the errors of Node's sockets and of undici.

interface SystemError extends Error {
  readonly syscall?: string
  readonly code?: string
  readonly address?: string
  readonly port?: number
  readonly errors?: readonly SystemError[]
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'no response in time',
  EHOSTUNREACH: 'no route to the host',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_BODY_TIMEOUT: 'the response did not end in time',
}

/** Codes of an established connection that broke. */
const BROKEN_CODES = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** Returns whether the connection was established, so that the server may have received the request. */
export function wasSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const { code, syscall, message } = cause as SystemError
  if (code === undefined) return wasSent(cause.cause)
  if (syscall === 'connect' || message.includes('before secure TLS connection')) return false
  return BROKEN_CODES.includes(code) || code.startsWith('HPE_')
}

/** Returns a message for a network failure. It names the addresses that the errors contain. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const error = cause as SystemError
  if (error.errors !== undefined && error.errors.length > 0) return describeErrors(error.errors)
  if (error.code === undefined) return error.cause instanceof Error ? reasonOf(error.cause) : error.message
  if (error.code.startsWith('HPE_')) return 'the response is not HTTP'
  if (error.message === 'bad upgrade' || error.message.includes('assert(upgrade)'))
    return 'it responded 101 (switching protocols) instead of 2xx'
  if (REASONS[error.code] === undefined) return error.message
  return describeError(error.code, [error])
}

/** Describes the failures of all addresses of a host, together if they have the same reason. */
function describeErrors(errors: readonly SystemError[]): string {
  const code = errors[0]?.code
  const haveSameReason =
    code !== undefined && REASONS[code] !== undefined && errors.every((error) => error.code === code)
  return haveSameReason ? describeError(code, errors) : [...new Set(errors.map(reasonOf))].join(', ')
}

/** Returns `nothing listens at 127.0.0.1:3000 and [::1]:3000 (ECONNREFUSED)`. Omits the code if it is undici's. */
function describeError(code: string, errors: readonly SystemError[]): string {
  const addresses = [...new Set(errors.map(addressOf))].filter((address) => address !== '')
  const at = addresses.length === 0 ? '' : ` at ${addresses.join(' and ')}`
  return `${REASONS[code]}${at}${code.startsWith('UND_') ? '' : ` (${code})`}`
}

function addressOf(error: SystemError): string {
  if (error.address === undefined) return ''
  const host = error.address.includes(':') ? `[${error.address}]` : error.address
  return error.port === undefined ? host : `${host}:${error.port}`
}
