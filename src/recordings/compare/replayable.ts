// Decides which calls can be replayed, and which responses the sandbox can only imitate.
import type { CallResponse, RecordedCall } from './recorded-call.ts'

/**
 * Returns why a call is not replayed, as a clause.
 * @param lost ids of objects that the sandbox refused to create
 */
export function reasonToSkip(
  call: RecordedCall,
  calls: readonly RecordedCall[],
  lost: ReadonlySet<string>,
): string | undefined {
  const { method, objectId, isBodyKnown, response, headers } = call
  if (method === 'CONNECT' || method === 'TRACE') return `the method ${method} cannot be replayed`
  if (!isBodyKnown) return 'the recording does not contain the request body'
  if (response?.code === 'ip_not_allowed') return 'it depends on the address of the client'
  if (objectId !== undefined && lost.has(objectId)) return 'it follows from an earlier difference'
  if (isRepeatOfEarlier(call, calls)) return 'it repeats a call from before the recording'
  if (response !== undefined) return undefined
  // A retry of a request whose response was lost shows that the service processed it.
  const key = headers.get('idempotency-key')
  const isRetried = calls.some(
    ({ headers, response }) => key !== undefined && headers.get('idempotency-key') === key && response?.status === 200,
  )
  return isRetried ? undefined : 'the recording has no response'
}

/** The service responds 201 to a creation, and 200 to its repeat with the same Idempotency-Key (Spec 5.7). */
function isRepeatOfEarlier(call: RecordedCall, calls: readonly RecordedCall[]): boolean {
  const key = call.headers.get('idempotency-key')
  if (key === undefined || call.response?.status !== 200 || !CREATES.test(call.operation)) return false
  return !calls.some(
    ({ headers, response }) =>
      headers.get('idempotency-key') === key && (response === undefined || response.status === 201),
  )
}

const CREATES = /^POST .*\/(?:payments|payouts|refund)$/

/** Whether the status depends on load or an outage, and not on the request. */
export function isInjected(response: CallResponse | undefined): boolean {
  const { status = 0, code } = response ?? {}
  return status === 429 || (status >= 500 && status < 600 && code !== 'router_error')
}
