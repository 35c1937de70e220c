// Spec 4.3: cancel a pending payment.
import { refuse } from '../domain/errors.ts'
import type { Payment } from '../domain/payment.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { findPayment } from './require-row.ts'
import { movePayment } from './transition.ts'
import type { World } from './world.ts'

export function cancelPayment(command: Input<'cancel_payment'>, world: World, context: Context): Commit<Payment> {
  const draft = new Draft(world, context)
  const payment = findPayment(world, command.caller, command.payment_id)
  if (payment.status !== 'pending') {
    throw refuse('not_pending', `The payment is ${payment.status}; only a pending one can be cancelled.`)
  }
  return draft.commit(movePayment(draft, payment, 'cancelled'))
}
