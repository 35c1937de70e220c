// Decides which calls can be replayed, and which responses the sandbox can only imitate.
import type { RecordedAnswer, RecordedCall } from './recorded-call.ts'

/**
 * Returns why a call is not replayed, as a clause.
 * @param lost ids of objects that the sandbox refused to create
 */
export function reasonToSkip(
  { method, objectId, isBodyKnown, response, headers }: RecordedCall,
  calls: readonly RecordedCall[],
  lost: ReadonlySet<string>,
): string | undefined {
  if (method === 'CONNECT' || method === 'TRACE') return `the method ${method} cannot be replayed`
  if (!isBodyKnown) return 'the recording does not contain the request body'
  if (response?.code === 'ip_not_allowed') return 'it depends on the address of the client'
  if (objectId !== undefined && lost.has(objectId)) return 'it follows from an earlier difference'
  if (response !== undefined) return undefined
  // A retry of a request whose response was lost shows that the service processed it.
  const key = headers.get('idempotency-key')
  const isRetried = calls.some(
    ({ headers, response }) => key !== undefined && headers.get('idempotency-key') === key && response?.status === 200,
  )
  return isRetried ? undefined : 'the recording has no response'
}

/** Whether the status depends on load or an outage, and not on the request. */
export function isInjected(response: RecordedAnswer | undefined): boolean {
  const { status = 0, code } = response ?? {}
  return status === 429 || (status >= 500 && status < 600 && code !== 'router_error')
}
