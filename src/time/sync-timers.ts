import type { Payment } from '../domain/payment.ts'
import { type Commit, type PreparedState, replacesState } from '../engine/commit.ts'
import { paymentTimer } from '../engine/payment-timer.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { initialClock } from './clock.ts'
import type { PreparedTimers, Timeline } from './timeline-types.ts'

/**
 * Updates the timeline after a commit. Timers are rows, or are derived from payment rows. A clock that a reset or an
 * import stored replaces the current one.
 */
export function syncTimers(
  timeline: Timeline,
  commit: Commit,
  command: string,
  systemClock: Pick<SystemClock, 'now'>,
): void {
  if (replacesState(commit)) timeline.abandon()
  for (const { table, id } of commit.deletes) if (table === 'timers') timeline.disarm(id)
  for (const { table, row } of commit.puts) {
    if (table === 'payments') syncPaymentTimer(timeline, row)
    else if (table === 'timers') timeline.arm(row)
  }
  if (!commit.clear.includes('state') || command === 'set_clock') return
  const [stored] = commit.puts.flatMap(({ table, row }) => (table === 'state' && row.id === 'clock' ? [row] : []))
  timeline.restoreClock(stored ?? initialClock({ mode: 'real' }, systemClock.now()))
}

/** A payment with a pending step keeps the sandbox busy, even if the payment expires before that step. */
export function syncPaymentTimer(timeline: Pick<Timeline, 'replaceTimer'>, payment: Payment): void {
  timeline.replaceTimer(payment.id, paymentTimer(payment), payment.step !== undefined)
}

/** Arms the timers of a state that has not replaced the current one yet. */
export async function armPrepared(
  timers: PreparedTimers,
  state: PreparedState,
  pause: () => Promise<void>,
): Promise<void> {
  for (const put of state.timed()) {
    if (put === undefined) await pause()
    else if (put.table === 'timers') timers.arm(put.row)
    else syncPaymentTimer(timers, put.row)
  }
}
