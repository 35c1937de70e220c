// Spec 6.1, Delivery: the result of an attempt decides the next step of the retry schedule.

import type { Delivery } from '../domain/delivery.ts'
import { countManualAttempts, withAttempt } from '../domain/delivery.ts'
import { isAccepted } from '../domain/http-response.ts'
import { nextAttemptDelay } from '../domain/retry-schedule.ts'
import type { SandboxTime } from '../domain/time.ts'
import { addMs } from '../domain/time.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { requireRow } from './require-row.ts'
import type { World } from './world.ts'

export function recordAttempt(command: Input<'record_attempt'>, world: World, context: Context): Commit<Delivery> {
  const draft = new Draft(world, context)
  const delivery = requireRow(world, 'deliveries', command.delivery_id)
  draft.cancelTimer('deliver', delivery.id)
  const { next_attempt_at, resume_at, ...rest } = delivery
  const attempted = { ...rest, attempts: withAttempt(delivery.attempts, command.attempt) }
  // The delivery was cancelled during the attempt: the attempt is stored, but nothing is retried.
  if (delivery.status === 'cancelled') return draft.commit(draft.put('deliveries', attempted))
  if (command.delivered) return draft.commit(draft.put('deliveries', { ...attempted, status: 'delivered' }))
  return draft.commit(scheduleRetry(draft, attempted, retryDue(draft, attempted, resume_at)))
}

/** Adds the duplicates of an attempt to its record. Returns `null` if the delivery was removed in the meantime. */
export function recordDuplicates(
  command: Input<'record_duplicates'>,
  world: World,
  context: Context,
): Commit<Delivery | null> {
  const draft = new Draft(world, context)
  const delivery = world.get('deliveries', command.delivery_id)
  if (delivery === undefined) return draft.commit(null)
  const attempts = delivery.attempts.map((attempt) =>
    attempt.number === command.number ? { ...attempt, copies: command.copies } : attempt,
  )
  return draft.commit(draft.put('deliveries', { ...delivery, attempts }))
}

/**
 * Returns the due time of the next attempt, or `undefined` after the last attempt. The interval begins when the last
 * attempt was due, not when it was sent, so that the times of the retry schedule are exact.
 * @param resumeAt after a manual attempt: the due time of the retry that it postponed
 */
function retryDue(draft: Draft, delivery: Delivery, resumeAt: SandboxTime | undefined): SandboxTime | undefined {
  if (resumeAt !== undefined) return resumeAt
  const { attempts } = delivery
  const scheduled = attempts.length - countManualAttempts(attempts)
  const interval = nextAttemptDelay(delivery, scheduled, draft.world.settings.webhook_retries)
  const last = attempts.at(-1)
  return interval === undefined || last === undefined ? undefined : addMs(last.at, interval)
}

function scheduleRetry(draft: Draft, delivery: Delivery, due: SandboxTime | undefined): Delivery {
  if (due === undefined) {
    // A delivery that the receiver accepted once stays delivered if a later manual attempt fails.
    const status = delivery.attempts.some(isAccepted) ? 'delivered' : 'exhausted'
    return draft.put('deliveries', { ...delivery, status })
  }
  setDeliveryTimer(draft, delivery.id, due)
  return draft.put('deliveries', { ...delivery, status: 'waiting', next_attempt_at: due })
}

export function postponeDelivery(command: Input<'postpone_delivery'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  const delivery = world.get('deliveries', command.delivery_id)
  if (delivery?.status !== 'waiting') return draft.commit(null)
  const backlog = command.in_backlog === true ? { in_backlog: true as const } : {}
  draft.put('deliveries', { ...delivery, ...backlog, next_attempt_at: command.due })
  setDeliveryTimer(draft, delivery.id, command.due)
  return draft.commit(null)
}

/** Keeps the timer's sequence number, so deliveries that are due together are sent in the order of their creation. */
function setDeliveryTimer(draft: Draft, deliveryId: string, due: SandboxTime): void {
  const seq = draft.world.get('timers', `deliver:${deliveryId}`)?.seq
  draft.setTimer('deliver', deliveryId, due, seq)
}
