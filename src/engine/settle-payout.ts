// Spec 3.3: the bank accepts or rejects a payout.
import { refuse } from '../domain/errors.ts'
import { FAILURE_CODES, type FailureCode } from '../domain/failure-codes.ts'
import type { Payout } from '../domain/payout.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { movePayout } from './transition.ts'
import type { World } from './world.ts'

/** Settles a pending payout by an explicit act. */
export function settlePayout(command: Input<'settle_payout'>, world: World, context: Context): Commit<Payout> {
  const draft = new Draft(world, context)
  const payout = world.get('payouts', command.payout_id)
  if (payout === undefined) throw refuse('not_found', `There is no payout ${command.payout_id}.`)
  if (payout.status !== 'pending') throw refuse('not_allowed', `The payout is already ${payout.status}.`)
  const plan: Plan =
    command.status === 'succeeded'
      ? { outcome: 'succeeded' }
      : { outcome: 'failed', code: failureCode(command.failure_code) }
  return draft.commit(settleByPlan(draft, payout, plan))
}

export function settleByPlan(draft: Draft, payout: Payout, plan: Plan): Payout {
  draft.cancelTimer('settle_payout', payout.id)
  if (plan.outcome === 'failed' || plan.outcome === 'refused') {
    return movePayout(draft, payout, 'bank_rejected', { fail_reason: plan.code })
  }
  return movePayout(draft, payout, 'bank_accepted')
}

/** A known failure code; `do_not_honor` where none is given. */
export function failureCode(text: string | undefined): FailureCode {
  const code = text ?? 'do_not_honor'
  if (Object.hasOwn(FAILURE_CODES, code)) return code as FailureCode
  throw refuse(
    'bad_request',
    `failure_code: ${JSON.stringify(code)} is not one of ${Object.keys(FAILURE_CODES).join(', ')}.`,
  )
}
