/** Returns the status of the response, or why there was none. */
export function formatAttemptResult(
  attempt: { status?: number | null | undefined; error?: string | null | undefined } | undefined,
): string {
  if (attempt === undefined) return ''
  return attempt.status === undefined || attempt.status === null
    ? (attempt.error ?? 'no response')
    : String(attempt.status)
}
