import { isAccepted, isSuccess } from '../../domain/http-response.ts'

/** Returns the status of the response, or why there was none. */
export function formatAttemptResult(
  attempt: { status?: number | null | undefined; error?: string | null | undefined } | undefined,
): string {
  if (attempt === undefined) return ''
  return attempt.status === undefined || attempt.status === null
    ? (attempt.error ?? 'no response')
    : String(attempt.status)
}

/** Returns the status or the error; `undefined` if the receiver accepted the attempt. */
export function whyNotDelivered(
  attempt: { status?: number | null | undefined; error?: string | null | undefined } | undefined,
): string | undefined {
  if (attempt === undefined) return 'no attempt was made'
  const { status = null, error = null } = attempt
  if (isAccepted({ status, error })) return undefined
  // A 2xx response was incomplete or counted as late, so its status does not explain the failure.
  return isSuccess(status) ? (error ?? '') : formatAttemptResult(attempt)
}
