// The facts that a rule can match, for each object that a plan decides.
import { expect, test } from 'vitest'
import { RULE_FIELDS } from '../../src/domain/faults.ts'
import { startWorld } from './bench-world.ts'

type World = ReturnType<typeof startWorld>

const PAYMENT = {
  amount: 700,
  currency: 'RUB',
  method: 'cards',
  order_id: 'A-1',
  customer_id: 'c1',
  description: 'Tea',
  metadata: { cart: '7' },
} as const

const PAYOUT = { amount: 900, currency: 'RUB', phone: '+79161234567', bank_id: '100000000111' } as const

/** Creates an object of the operation, and returns its plan. */
const CREATE = {
  payment: (world: World) => world.create(PAYMENT).object.plan,
  refund(world: World) {
    const { id } = world.create(PAYMENT).object
    world.run('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    return world.run('refund_payment', { caller: world.caller, payment_id: id, amount: 300 }).object.plan
  },
  payout: (world: World) => world.run('create_payout', { caller: world.caller, input: PAYOUT }).object.plan,
}

const shared = { ...PAYMENT, payment_method: 'cards', metadata: undefined, 'metadata.cart': '7' }
const FACTS = {
  payment: { ...shared, operation: 'payment' },
  refund: { ...shared, operation: 'refund', amount: 300 },
  payout: { ...PAYOUT, operation: 'payout', method: 'payouts_sbp', payment_method: 'payouts_sbp' },
} as const

const OTHER: Record<string, string | number> = {
  operation: 'payout',
  amount: 1,
  method: 'sbp',
  payment_method: 'sbp',
}

for (const operation of ['payment', 'refund', 'payout'] as const) {
  test(`a rule for a ${operation} can match each of its facts, and no other`, () => {
    const matched = [...RULE_FIELDS, 'metadata.cart', 'metadata.none'].map((field) => {
      const world = startWorld()
      const known = { ...FACTS[operation], shop_id: world.shop.id }[field as 'amount']
      const other = operation === 'payout' && field === 'operation' ? 'refund' : (OTHER[field] ?? 'other')
      const { id } = world.run('add_rule', { plan: 'failed:card_lost', match: { [field]: other } })
      const without = CREATE[operation](world).decided_by
      world.run('add_rule', { plan: 'failed:card_lost', match: { [field]: known ?? '*' } })
      const { decided_by } = CREATE[operation](world)
      return [field, without === `rule ${id}`, decided_by.startsWith('rule ')]
    })
    expect(matched).toEqual(
      [...RULE_FIELDS, 'metadata.cart', 'metadata.none'].map((field) => [
        field,
        false,
        field === 'shop_id' || (FACTS[operation] as Record<string, unknown>)[field] !== undefined,
      ]),
    )
  })
}
