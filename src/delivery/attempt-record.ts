import { type Attempt, type Delivery, isNextAttemptManual } from '../domain/delivery.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { SandboxTime, WallTime } from '../domain/time.ts'
import { recordBody } from '../receiver-client/response-body.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import { type CopyResponse, duplicateRecord } from './duplicates.ts'
import type { WebhookRequest } from './prepare-request.ts'
import type { AttemptFaults } from './webhook-faults.ts'

/** An attempt with its result, before it is recorded. */
export interface CompletedAttempt {
  readonly prepared: WebhookRequest
  readonly response: ReceiverResponse
  readonly faults: AttemptFaults
  readonly sent_at: WallTime
  readonly ms: number
  readonly copies?: readonly CopyResponse[] | undefined
}

/** @param error why the attempt failed, as a message; undefined if it succeeded */
export function attemptRecord(
  delivery: Pick<Delivery, 'attempts' | 'no_retries' | 'resume_at'>,
  at: SandboxTime,
  { prepared, response, faults, sent_at, ms, copies }: CompletedAttempt,
  error: string | undefined,
): Attempt {
  const hasFault = faults.names.length > 0
  return omitUndefined({
    number: delivery.attempts.length + 1,
    at,
    sent_at,
    ms: Math.round(ms),
    status: response.status,
    error,
    manual: isNextAttemptManual(delivery) ? (true as const) : undefined,
    fault: hasFault ? faults.names.join(', ') : undefined,
    fault_ids: hasFault ? faults.ids : undefined,
    request_headers: prepared.headers,
    request_body: prepared.changed ? recordBody(prepared.body) : undefined,
    response_headers: response.headers,
    response_body: response.body,
    copies: copies?.map(duplicateRecord),
  })
}

export const DROPPED: ReceiverResponse = { error: 'Not sent: the fault drop suppressed it.' }

/** Makes a response count as too late. The receiver has handled the webhook, and gets it again. */
export function asLateResponse(response: ReceiverResponse): ReceiverResponse {
  if (response.error !== undefined) return response
  return {
    ...response,
    error: `The fault late_response counts this response (${response.status}) as received after the deadline.`,
  }
}
