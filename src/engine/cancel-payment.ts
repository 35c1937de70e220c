// Spec 4.3: cancel a pending payment.
import { refuse } from '../domain/errors.ts'
import type { Payment } from '../domain/payment.ts'
import type { Caller, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { dropTimers } from './session.ts'
import { movePayment } from './transition.ts'
import type { World } from './world.ts'

export function cancelPayment(command: Input<'cancel_payment'>, world: World, context: Context): Commit<Payment> {
  const draft = new Draft(world, context)
  const payment = ownPayment(world, command.caller, command.payment_id)
  if (payment.status !== 'pending') {
    throw refuse('not_pending', `The payment is ${payment.status}; only a pending one can be cancelled.`)
  }
  dropTimers(draft, payment.id)
  return draft.commit(movePayment(draft, payment, 'cancelled'))
}

/** The caller's payment. Those of another shop or mode are not found: their existence is not revealed. */
export function ownPayment(world: World, caller: Caller, id: string): Payment {
  const payment = world.get('payments', id.toLowerCase())
  if (payment === undefined || payment.shop_id !== caller.shop_id || payment.mode !== caller.mode) {
    throw refuse('not_found', `There is no payment ${id.slice(0, 64)} for this API key.`)
  }
  return payment
}
