// The fault `duplicate`: an attempt leaves several times. The first copy's answer counts; what came to the others is kept
// beside it, for a receiver that takes the first and fails at the second looks clean otherwise.

import { asEarlier } from '../domain/attempt-history.ts'
import type { AttemptCopy } from '../domain/delivery.ts'
import type { WallTime } from '../domain/time.ts'
import type { Engine } from '../engine/engine.ts'
import type { Answer } from '../receiver-client/transport.ts'
import { judge } from './classify-response.ts'

/** Copies that are under way at once. */
const AT_ONCE = 16

export interface SentCopy {
  readonly sent_at: WallTime
  readonly ms: number
  readonly answer: Answer | 'lost'
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
export async function sendCopies(
  count: number,
  send: () => Promise<Answer>,
  wall: Wall,
  abandoned: () => boolean,
): Promise<SentCopy[]> {
  const sent: SentCopy[] = []
  for (let left = count; left > 0 && !abandoned(); left -= AT_ONCE) {
    sent.push(...(await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => timed(send, wall)))))
  }
  return sent
}

/** One copy with its times. */
export async function timed(send: () => Promise<Answer | 'lost'>, wall: Wall): Promise<SentCopy> {
  const sent_at = wall.now()
  const began = wall.monotonic()
  const answer = await send()
  return { sent_at, ms: wall.monotonic() - began, answer }
}

/** Of a listener: it reports them after the attempt is recorded. */
export function addCopies(
  engine: Pick<Engine, 'execute' | 'world'>,
  delivery_id: string,
  number: number,
  copies: readonly SentCopy[],
): void {
  const attempts = engine.world.get('deliveries', delivery_id)?.attempts ?? []
  if (!attempts.some((attempt) => attempt.number === number)) return
  try {
    engine.execute('record_copies', { delivery_id, number, copies: copies.map(copyRow) })
  } catch {
    // The attempt itself is written down; nobody waits for this.
  }
}

export function copyRow({ sent_at, ms, answer }: SentCopy): AttemptCopy {
  if (answer === 'lost') return { sent_at, ms: Math.round(ms), error: 'The listener went away before it reported.' }
  const { error } = judge(answer)
  return {
    sent_at,
    ms: Math.round(answer.ms ?? ms),
    ...(answer.status === undefined ? {} : { status: answer.status }),
    ...(error === undefined ? {} : { error }),
    ...(answer.headers === undefined ? {} : { response_headers: answer.headers }),
    ...(answer.body === undefined ? {} : { response_body: asEarlier(answer.body) }),
  }
}
