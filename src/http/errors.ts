// Converts thrown errors to responses.
import { API_ERRORS, type ApiErrorCode, RefusalError } from '../domain/errors.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Exchange } from './app-env.ts'
import { ConnectionAbortedError } from './connection-aborted.ts'
import { type ApiResponse, type SerializedResponse, serialize, toResponse } from './respond.ts'
import type { Services } from './services.ts'

/**
 * Returns the error object of spec 2.7, after the commits it is based on are written. If a write fails, returns
 * `storage_unavailable` instead.
 * @throws ConnectionAbortedError if `error` is one, so that the adapter breaks the connection
 */
export async function respondWithError(error: unknown, c: Exchange, services: Services): Promise<Response> {
  return toResponse(await loggedErrorResponse(error, c, services))
}

/**
 * Like {@link respondWithError}, but serialized.
 * @throws ConnectionAbortedError if `error` is one, so that the adapter breaks the connection
 */
export function loggedErrorResponse(
  error: unknown,
  c: Exchange,
  services: Services,
): SerializedResponse | Promise<SerializedResponse> {
  if (error instanceof ConnectionAbortedError) throw error
  const written = services.engine.written()
  if (written === undefined) return toLoggedResponse(error, c, services)
  return written.then(
    () => toLoggedResponse(error, c, services),
    (writeError: unknown) => toLoggedResponse(writeError, c, services),
  )
}

function toLoggedResponse(error: unknown, c: Exchange, services: Services): SerializedResponse {
  const entry = c.get('entry')
  if (entry !== undefined && error instanceof RefusalError && error.decided_by !== undefined) {
    entry.decided_by = error.decided_by
  }
  return serialize(c, services, errorResponse(error, services))
}

/**
 * Returns status, headers and error object for any thrown error. A write error of the store is `storage_unavailable`,
 * and every other error that is not a refusal is `internal_error`. Both are reported.
 */
export function errorResponse(error: unknown, services: Services): ApiResponse {
  if (error instanceof RefusalError) {
    const status = statusOf(error, services)
    const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer', ...error.headers } : error.headers
    return { status, body: errorObject(error.code, error.message), headers, code: error.code }
  }
  services.onInternalError(error)
  if (error instanceof StoreUnavailableError) {
    const { status, message } = API_ERRORS.storage_unavailable
    return { status, body: errorObject('storage_unavailable', message), code: 'storage_unavailable' }
  }
  const message =
    'The sandbox itself failed, not your request. Its log (`psp serve --debug`) shows the cause. Please report it.'
  return { status: 500, body: errorObject('internal_error', message), code: 'internal_error' }
}

export function errorObject(code: ApiErrorCode, message: string): { error: { code: ApiErrorCode; message: string } } {
  return { error: { code, message } }
}

/** Spec 5.5 gives both 400 and 401 for signature errors, so a setting chooses the status. */
function statusOf(refusal: RefusalError, services: Services): number {
  const signature = refusal.code === 'signature_required' || refusal.code === 'invalid_signature'
  return signature ? services.engine.world.settings.signature_status : refusal.status
}
