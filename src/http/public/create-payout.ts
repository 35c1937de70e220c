// Spec 4.5: POST /v1/public/payouts.

import * as z from 'zod'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { type Payout, presentPayout } from '../../domain/payout.ts'
import { plannedOutcome } from '../../domain/simulator-plan.ts'
import { bodySchema } from '../body-schema.ts'
import { payoutMethod } from '../value-schemas.ts'
import { amount, bankId, currency, oneLine, phone } from './fields.ts'
import { type Call, idempotentRequest, operation, refusedCode } from './operation.ts'

export const createPayoutBody = bodySchema(
  z.object({
    amount,
    currency: currency.default('RUB'),
    method: payoutMethod.default('payouts_sbp').meta({ description: 'The only method: SBP.' }),
    phone,
    bank_id: bankId,
    full_name: oneLine("The recipient's name, for the bank's extra check.").optional(),
  }),
  ['full_name'],
)

export const createPayout = operation({
  name: 'payout',
  method: 'POST',
  path: '/payouts',
  body: createPayoutBody,
  creates: true,
  errors: ['aml_blocked', 'idempotent_conflict', 'route_not_configured', 'method_not_supported', 'router_error'],
  run(call) {
    const { services, caller, body, entry } = call
    const { object, repeated, cut, warnings } = services.engine.execute('create_payout', {
      caller,
      input: omitUndefined(body),
      ...idempotentRequest(call),
    })
    entry.object_id = object.id
    entry.decided_by = object.plan.decided_by
    entry.warnings.push(...warnings)
    return { status: repeated ? 200 : 201, body: responseBody(call, object, repeated), cut }
  },
})

/** Spec 2.4. */
function responseBody({ world, shop }: Pick<Call<unknown>, 'world' | 'shop'>, payout: Payout, idempotent: boolean) {
  const failure = refusedCode(payout)
  return {
    payout: presentPayout(payout, shop, world.settings),
    mode: payout.mode,
    idempotent,
    ...(payout.mode === 'test' ? { simulator: plannedOutcome(payout.plan) } : {}),
    ...omitUndefined({ bank: payout.bank, bank_ref: payout.bank_ref, failure_reason: failure }),
  }
}
