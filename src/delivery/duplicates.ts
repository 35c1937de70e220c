// The fault `duplicate` sends an attempt several times. Only the response to the first copy counts. The other responses
// are stored too, because otherwise a receiver that accepts the first copy and fails on the second would look healthy.

import { type DuplicateRecord, truncateResponse } from '../domain/delivery.ts'
import { RefusalError } from '../domain/errors.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { WallTime } from '../domain/time.ts'
import type { Engine } from '../engine/engine.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { classifyResponse } from './classify-response.ts'

const MAX_IN_FLIGHT = 16

export interface CopyResponse {
  readonly sent_at: WallTime
  readonly ms: number
  readonly response: ReceiverResponse | 'disconnected'
}

/**
 * Sends the webhook `total` times, the original included, some at the same time. Returns the responses in this order.
 * @param isAbandoned returns true if no more copies are needed
 */
export async function sendCopies(
  total: number,
  send: () => Promise<ReceiverResponse>,
  systemClock: Pick<SystemClock, 'now' | 'monotonic'>,
  isAbandoned: () => boolean,
): Promise<CopyResponse[]> {
  const sent: CopyResponse[] = []
  for (let left = total; left > 0 && !isAbandoned(); left -= MAX_IN_FLIGHT) {
    sent.push(
      ...(await Promise.all(Array.from({ length: Math.min(left, MAX_IN_FLIGHT) }, () => measure(send, systemClock)))),
    )
  }
  return sent
}

export async function measure(
  send: () => Promise<ReceiverResponse | 'disconnected'>,
  systemClock: Pick<SystemClock, 'now' | 'monotonic'>,
): Promise<CopyResponse> {
  const sent_at = systemClock.now()
  const began = systemClock.monotonic()
  const response = await send()
  return { sent_at, ms: systemClock.monotonic() - began, response }
}

/**
 * Adds copies to the record of an attempt, after a listener has reported their results. No caller waits for this, so a
 * refusal is ignored.
 */
export function addDuplicates(
  engine: Pick<Engine, 'execute' | 'world'>,
  delivery_id: string,
  number: number,
  copies: readonly CopyResponse[],
): void {
  const attempts = engine.world.get('deliveries', delivery_id)?.attempts ?? []
  if (!attempts.some((attempt) => attempt.number === number)) return
  try {
    engine.execute('record_duplicates', { delivery_id, number, copies: copies.map(duplicateRecord) })
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
  }
}

export function duplicateRecord({ sent_at, ms, response }: CopyResponse): DuplicateRecord {
  if (response === 'disconnected')
    return { sent_at, ms: Math.round(ms), error: 'The listener disconnected before it reported a result.' }
  const { error } = classifyResponse(response)
  return omitUndefined({
    sent_at,
    ms: Math.round(response.ms ?? ms),
    status: response.status,
    error,
    response_headers: response.headers,
    response_body: response.body && truncateResponse(response.body),
  })
}
