// Spec 7: the error codes of the API.
import { ellipsize } from './characters.ts'

/** HTTP status and default message by `code`. The specification shows only some codes. The others are psp's. */
export const API_ERRORS = {
  bad_request: { status: 400, message: 'The request is not valid.' },
  signature_required: { status: 400, message: 'This shop requires a request signature: send X-PSP-Signature.' },
  invalid_signature: { status: 400, message: 'The request signature does not match the body.' },
  unauthorized: { status: 401, message: 'Send a valid API key: Authorization: Bearer sk_test_…' },
  live_not_enabled: { status: 403, message: 'The merchant is not activated for live mode.' },
  ip_not_allowed: { status: 403, message: "The caller's address is not in the shop's allow-list." },
  aml_blocked: { status: 403, message: 'The operation was blocked by anti-money-laundering checks.' },
  forbidden_purpose: { status: 403, message: 'The purpose of the payment is forbidden.' },
  forbidden: { status: 403, message: 'Requests with this Host or Origin are not allowed.' },
  not_found: { status: 404, message: 'The object does not exist.' },
  method_not_allowed: { status: 405, message: 'The method is not allowed on this path.' },
  idempotent_conflict: { status: 409, message: 'The Idempotency-Key was used with a different request.' },
  not_pending: { status: 409, message: 'The payment is not pending.' },
  not_refundable: { status: 409, message: 'Only a succeeded payment can be refunded.' },
  already_refunded: { status: 409, message: 'The payment is already fully refunded.' },
  not_allowed: { status: 409, message: 'The object does not allow this in its current state.' },
  // The state was replaced while the request was in progress.
  sandbox_reset: {
    status: 409,
    message:
      'A reset, restore or import replaced the state of the sandbox while this request was in progress. The request had no effect. Send it again.',
  },
  stream_busy: { status: 409, message: 'The key already has an open event stream.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  amount_exceeds_remainder: { status: 422, message: 'The amount exceeds the amount that can still be refunded.' },
  route_not_configured: { status: 422, message: 'The shop has no payout route.' },
  method_not_supported: { status: 422, message: 'The bank does not support the method.' },
  rate_limited: { status: 429, message: 'Too many requests.' },
  internal_error: { status: 500, message: 'An internal error occurred.' },
  router_error: { status: 502, message: 'The recipient bank could not be resolved.' },
  storage_unavailable: {
    status: 503,
    message:
      'The change could not be stored, so nothing was changed. The output of `psp serve` shows the reason and the fix.',
  },
  // The code of the fault `status:<code>`, except for 400, 401, 404, 429, 500 and 502. The fault sets the status.
  simulated_fault: { status: 503, message: 'A fault of the sandbox rejected this request. It had no effect.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ApiErrorCode = keyof typeof API_ERRORS

/**
 * A rejected request with a code of the table. Every other error that a request throws is an internal error, except a
 * write error of the store (`storage_unavailable`) and a connection that a fault aborts.
 */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
  readonly code: ApiErrorCode
  readonly status: number
  /** Extra response headers, such as `Retry-After` and `Allow`. */
  readonly headers: Readonly<Record<string, string>>
  /** The source of an error that the simulator planned: `rule rul_…`, `header`, `magic amount 93`. */
  readonly decided_by: string | undefined
  constructor(
    code: ApiErrorCode,
    message?: string,
    headers: Readonly<Record<string, string>> = {},
    decidedBy?: string,
  ) {
    super(ellipsize(message ?? API_ERRORS[code].message, LONGEST_MESSAGE))
    this.code = code
    this.status = API_ERRORS[code].status
    this.headers = headers
    this.decided_by = decidedBy
  }
}

/** Maximum characters of a message, because it may quote a long value of the request. */
const LONGEST_MESSAGE = 2000

/** Creates an error with the status and the default message of the table: `throw refuse('not_pending')`. */
export function refuse(code: ApiErrorCode, message?: string, headers?: Readonly<Record<string, string>>): RefusalError {
  return new RefusalError(code, message, headers)
}
