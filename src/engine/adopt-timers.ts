// Data folders, exports and snapshots of earlier versions: their payments have timers that are rows.
import type { Payment, PaymentStep } from '../domain/payment.ts'
import { PAYMENT_STEPS } from '../domain/payment.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { PAYMENT_TIMERS, type Timer } from './tables.ts'
import type { World } from './world.ts'

/** True for a timer that an earlier version stored. */
export function isEarlier({ kind }: Timer): boolean {
  return (PAYMENT_TIMERS as readonly string[]).includes(kind)
}

/** Puts into the payments' rows what their timers say, once. */
export function adoptTimers(_: Input<'adopt_timers'>, world: World, context: Context): Commit<null> {
  const draft = new Draft(world, context)
  for (const timer of world.rows('timers')) {
    if (!isEarlier(timer)) continue
    const payment = draft.get('payments', timer.object_id)
    if (payment !== undefined) draft.put('payments', adopted(payment, timer))
    draft.delete('timers', timer.id)
  }
  return draft.commit(null)
}

/** A payment with one of its timers in its row. Its end is there already: its status and times tell it. */
export function adopted(payment: Payment, { kind, due, seq }: Timer): Payment {
  if (!isStep(kind)) return payment.seq === undefined ? { ...payment, seq } : payment
  return { ...payment, step: kind, step_at: due, seq }
}

function isStep(kind: string): kind is PaymentStep {
  return (PAYMENT_STEPS as readonly string[]).includes(kind)
}
