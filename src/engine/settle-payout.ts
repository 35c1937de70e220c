// Spec 3.3: the bank accepts or rejects a payout.
import { refuse } from '../domain/errors.ts'
import type { Payout } from '../domain/payout.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import type { Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import type { Context } from './ports.ts'
import { settlementPlan } from './settlement.ts'
import { movePayout } from './transition.ts'
import type { World } from './world.ts'

/** Settles a pending payout by an explicit action. */
export function settlePayout(command: Input<'settle_payout'>, world: World, context: Context): Commit<Payout> {
  const draft = new Draft(world, context)
  const plan = settlementPlan(command)
  const payout = world.get('payouts', command.payout_id.toLowerCase())
  if (payout === undefined) throw refuse('not_found', `There is no payout ${command.payout_id.slice(0, 64)}.`)
  if (payout.status !== 'pending') throw refuse('not_allowed', `The payout is already ${payout.status}.`)
  return draft.commit(completePayout(draft, payout, plan))
}

/** Sets the final status. */
export function completePayout(draft: Draft, payout: Payout, plan: Plan): Payout {
  draft.cancelTimer('settle_payout', payout.id)
  if (plan.outcome === 'failed' || plan.outcome === 'refused') {
    return movePayout(draft, payout, 'bank_rejected', { fail_reason: plan.code })
  }
  return movePayout(draft, payout, 'bank_accepted')
}
