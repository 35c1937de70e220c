// The fault `duplicate`: an attempt leaves several times. The first copy's answer counts; what came to the others is kept
// beside it, for a receiver that takes the first and fails at the second looks clean otherwise.

import { truncateResponse } from '../domain/attempt-history.ts'
import type { AttemptCopy } from '../domain/delivery.ts'
import type { WallTime } from '../domain/time.ts'
import type { Engine } from '../engine/engine.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import { classifyResponse } from './classify-response.ts'

/** Copies that are under way at once. */
const AT_ONCE = 16

export interface DuplicateResponse {
  readonly sent_at: WallTime
  readonly ms: number
  readonly answer: ReceiverResponse | 'lost'
}

/** The machine's clock. */
interface Wall {
  now(): WallTime
  monotonic(): number
}

/**
 * Sends `count` times, some at once; all answers, the first copy's first.
 * @param abandoned true once nothing more is to be sent
 */
export async function sendDuplicates(
  count: number,
  send: () => Promise<ReceiverResponse>,
  wall: Wall,
  abandoned: () => boolean,
): Promise<DuplicateResponse[]> {
  const sent: DuplicateResponse[] = []
  for (let left = count; left > 0 && !abandoned(); left -= AT_ONCE) {
    sent.push(...(await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => measure(send, wall)))))
  }
  return sent
}

/** One copy with its times. */
export async function measure(send: () => Promise<ReceiverResponse | 'lost'>, wall: Wall): Promise<DuplicateResponse> {
  const sent_at = wall.now()
  const began = wall.monotonic()
  const answer = await send()
  return { sent_at, ms: wall.monotonic() - began, answer }
}

/** Of a listener: it reports them after the attempt is recorded. */
export function addDuplicates(
  engine: Pick<Engine, 'execute' | 'world'>,
  delivery_id: string,
  number: number,
  copies: readonly DuplicateResponse[],
): void {
  const attempts = engine.world.get('deliveries', delivery_id)?.attempts ?? []
  if (!attempts.some((attempt) => attempt.number === number)) return
  try {
    engine.execute('record_copies', { delivery_id, number, copies: copies.map(duplicateRecord) })
  } catch {
    // The attempt itself is written down; nobody waits for this.
  }
}

export function duplicateRecord({ sent_at, ms, answer }: DuplicateResponse): AttemptCopy {
  if (answer === 'lost') return { sent_at, ms: Math.round(ms), error: 'The listener went away before it reported.' }
  const { error } = classifyResponse(answer)
  return {
    sent_at,
    ms: Math.round(answer.ms ?? ms),
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(error === undefined ? {} : { error }),
    ...(answer.headers === undefined ? {} : { response_headers: answer.headers }),
    ...(answer.body === undefined ? {} : { response_body: truncateResponse(answer.body) }),
  }
}
