// Spec 4.5: create an SBP payout.
import { bankStatus } from '../domain/bank.ts'
import { refuse } from '../domain/errors.ts'
import { magicBank, magicFullName, magicPhone } from '../domain/magic.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Payout } from '../domain/payout.ts'
import { simulatedError } from '../domain/simulated-errors.ts'
import type { Plan } from '../domain/simulator-plan.ts'
import { addMs } from '../domain/time.ts'
import { drawAcquirer } from './bank-session.ts'
import { choosePlan, plannedRefusal } from './choose-plan.ts'
import type { Created, Input } from './command.ts'
import type { Commit } from './commit.ts'
import { Draft } from './draft.ts'
import { findRepeat, storeIdempotencyKey } from './idempotency.ts'
import type { Context } from './ports.ts'
import { completePayout } from './settlement.ts'
import { payoutPayload } from './transition.ts'
import type { World } from './world.ts'

export function createPayout(command: Input<'create_payout'>, world: World, context: Context): Commit<Created<Payout>> {
  const draft = new Draft(world, context)
  const repeat = findRepeat(draft, 'payouts', command)
  if (repeat !== undefined) return repeat

  const shop = draft.shop(command.caller.shop_id)
  if (!shop.payout_route) throw refuse('route_not_configured')
  const { plan, warnings } = planFor(draft, command)
  if (plan.outcome === 'error') return draft.commitRefusal(plannedRefusal(plan))
  const bank = command.caller.mode === 'live' ? drawAcquirer(draft) : {}
  const { amount, currency, phone, bank_id, full_name } = command.input
  const payout = draft.put('payouts', {
    id: context.random.uuid(),
    merchant_id: shop.merchant_id,
    shop_id: shop.id,
    mode: command.caller.mode,
    amount,
    currency,
    method: 'payouts_sbp',
    status: 'pending',
    fail_reason: '',
    recipient: { phone, bank_id, ...omitUndefined({ full_name }) },
    created_at: context.now,
    completed_at: undefined,
    ...bank,
    plan,
  })
  storeIdempotencyKey(draft, command.caller, command.idempotency, payout.id)
  draft.emit('payout.created', payout, payoutPayload(payout))
  const object = startPayout(draft, payout)
  return draft.commit({ object, repeated: false, cut: plan.outcome === 'cut', warnings })
}

function startPayout(draft: Draft, payout: Payout): Payout {
  const { plan } = payout
  if (plan.outcome === 'refused') return completePayout(draft, payout, plan)
  if (plan.outcome !== 'pending' && plan.outcome !== 'requires_action') {
    draft.setTimer('settle_payout', payout.id, addMs(draft.now, plan.delay ?? draft.world.settings['delays.bank']))
  }
  return payout
}

function planFor(draft: Draft, { caller, input, plan }: Input<'create_payout'>) {
  const { amount, currency, phone, bank_id, full_name } = input
  const magicPlan = caller.mode === 'test' && draft.world.settings.magic ? magicBank(bank_id) : undefined
  if (magicPlan !== undefined && 'refusal' in magicPlan) throw simulatedError(magicPlan.refusal, magicPlan.label)
  const bankPlan = magicPlan ?? unknownBankPlan(draft, bank_id)
  const magic = () => bankPlan ?? magicPhone(phone) ?? magicFullName(full_name ?? '')
  const chosen = choosePlan(draft, {
    facts: {
      operation: 'payout',
      amount,
      currency,
      phone,
      bank_id,
      method: 'payouts_sbp',
      payment_method: 'payouts_sbp',
      shop_id: caller.shop_id,
    },
    header: plan,
    ...(caller.mode === 'test' ? { magic } : {}),
  })
  // The plan of an unknown bank replaces the default plan in any mode, even with magic off.
  return bankPlan !== undefined && chosen.plan.decided_by === 'default'
    ? { ...chosen, plan: { ...bankPlan.plan, decided_by: bankPlan.label } }
    : chosen
}

/** Returns the plan for former members and unknown bank ids, by the setting `unknown_bank`. */
function unknownBankPlan(draft: Draft, bankId: string): { plan: Plan; label: string } | undefined {
  const status = bankStatus(bankId)
  if (status === 'member') return undefined
  const failed = { plan: { outcome: 'failed', code: 'bank_unknown' } as const, label: `bank ${status}` }
  if (status === 'former') return failed
  switch (draft.world.settings.unknown_bank) {
    case 'accept':
      return undefined
    case 'bank_unknown':
      return failed
    case 'router_error':
      throw refuse(
        'router_error',
        `No SBP member has the id ${bankId}. \`GET /v1/public/banks/sbp\` lists the members.`,
      )
  }
}
