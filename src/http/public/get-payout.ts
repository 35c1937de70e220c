// Spec 4.6: GET /v1/public/payouts/{id}.
import { refuse } from '../../domain/errors.ts'
import { presentPayout } from '../../domain/payout.ts'
import { operation } from './operation.ts'

export const getPayout = operation({
  name: 'payout.get',
  method: 'GET',
  path: '/payouts/:id',
  errors: ['not_found'],
  run({ id, given_id, world, shop, caller }) {
    const payout = world.get('payouts', id)
    if (payout === undefined || payout.shop_id !== shop.id || payout.mode !== caller.mode) {
      throw refuse('not_found', `There is no payout ${given_id.slice(0, 64)} for this API key.`)
    }
    return { status: 200, body: presentPayout(payout, shop, world.settings) }
  },
})
