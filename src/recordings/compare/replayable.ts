// Decides which calls can be replayed, and which responses the sandbox can only imitate.
import type { CallOutline, CallResponse, RecordedCall } from './recorded-call.ts'

/** The Idempotency-Keys in the recording. */
export interface UsedIdempotencyKeys {
  /** Keys of calls that created something, or that have no response. */
  readonly created: ReadonlySet<string>
  /** Keys of calls with the response 200. */
  readonly repeated: ReadonlySet<string>
}

export function usedIdempotencyKeys(calls: readonly CallOutline[]): UsedIdempotencyKeys {
  const keysOf = (...statuses: number[]) =>
    new Set(calls.flatMap(({ key, status }) => (key !== undefined && statuses.includes(status) ? [key] : [])))
  return { created: keysOf(0, 201), repeated: keysOf(200) }
}

/**
 * Returns the reason for not replaying a call, as a clause.
 * @param lost ids of objects that the sandbox refused to create
 */
export function reasonToSkip(
  call: RecordedCall,
  keys: UsedIdempotencyKeys,
  lost: ReadonlySet<string>,
): string | undefined {
  const { method, objectId, isBodyKnown, status, code, key } = call
  if (method === 'CONNECT' || method === 'TRACE') return `the method ${method} cannot be replayed`
  if (!isBodyKnown) return 'the recording does not contain the request body'
  if (code === 'ip_not_allowed') return 'it depends on the address of the client'
  if (objectId !== undefined && lost.has(objectId)) return 'it follows from an earlier difference'
  if (isRepeatOfEarlier(call, keys)) return 'it repeats a call from before the recording'
  // A retry of a request whose response was lost shows that the service processed it.
  const isRetried = key !== undefined && keys.repeated.has(key)
  return status !== 0 || isRetried ? undefined : 'the recording has no response'
}

/** The service responds 201 to a creation, and 200 to its repeat with the same Idempotency-Key (Spec 5.7). */
function isRepeatOfEarlier({ key, status, operation }: CallOutline, { created }: UsedIdempotencyKeys): boolean {
  return key !== undefined && status === 200 && CREATES.test(operation) && !created.has(key)
}

const CREATES = /^POST .*\/(?:payments|payouts|refund)$/

/** Whether the status depends on load or an outage, and not on the request. */
export function isOverloadOrOutage(response: CallResponse | undefined): boolean {
  const { status = 0, code } = response ?? {}
  return status === 429 || (status >= 500 && status < 600 && code !== 'router_error')
}
