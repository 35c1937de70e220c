// The facts of the object that a request names or would create, for matching faults of the API.
import type { Facts } from '../../domain/faults.ts'
import { paymentFacts, payoutFacts } from '../../domain/match-fields.ts'
import type { Payment } from '../../domain/payment.ts'
import { refundableAmount } from '../../domain/refund.ts'
import type { World } from '../../engine/world.ts'
import type { Call, Operation } from './operation.ts'

type Body = Record<string, unknown>

/** Treats objects of another shop or mode as absent, because a fault must not reveal that they exist. */
export function requestedObjectFacts<B>({ name }: Pick<Operation<B>, 'name'>, call: Call<B>): Facts {
  const { world, caller, id, body } = call
  const isOwn = (row: { readonly shop_id: string; readonly mode: string }) =>
    row.shop_id === caller.shop_id && row.mode === caller.mode
  if (id === '') return requestedFacts((body ?? {}) as Body)
  const payment = world.get('payments', id)
  if (payment !== undefined) return isOwn(payment) ? withRefund(name, payment, (body ?? {}) as Body, world) : {}
  const payout = world.get('payouts', id)
  return payout !== undefined && isOwn(payout) ? payoutFacts(payout) : {}
}

/** Only creates have a body without an id in the path. */
function requestedFacts({ method, ...body }: Body): Facts {
  return { ...body, payment_method: method } as Facts
}

/** Uses the requested amount of a refund, or the remaining amount of the payment if the request has none. */
function withRefund(name: string, payment: Payment, { amount }: Body, world: World): Facts {
  const facts = paymentFacts(payment)
  if (name !== 'refund') return facts
  if (typeof amount === 'number' && amount > 0) return { ...facts, amount }
  const refunds = world.find('refunds', 'by_payment', payment.id)
  return { ...facts, amount: refundableAmount(payment, refunds, world.settings.reserve_pending_refunds) }
}
