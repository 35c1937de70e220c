import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RefusalError } from '../../src/domain/errors.ts'
import type { Plan } from '../../src/domain/simulator-plan.ts'
import { startWorld } from './bench-world.ts'

const step = fc.oneof(
  fc.record({
    do: fc.constant('refund' as const),
    amount: fc.integer({ min: 0, max: 1200 }),
    plan: fc.constantFrom<Plan>(
      { outcome: 'succeeded' },
      { outcome: 'succeeded', delay: 500 },
      { outcome: 'failed', code: 'processing_error' },
      { outcome: 'pending' },
    ),
  }),
  fc.record({ do: fc.constant('settle' as const), nth: fc.nat(20), ok: fc.boolean() }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 1000 }) }),
)

describe('refunds of one payment', () => {
  it('never exceed its amount, in any order of requests, settlements and time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        const world = startWorld()
        const { object } = world.create({ amount: 1000 })
        world.advance(2000)
        for (const one of steps) {
          try {
            if (one.do === 'refund') {
              world.run('refund_payment', {
                caller: world.caller,
                payment_id: object.id,
                amount: one.amount,
                plan: one.plan,
              })
            } else if (one.do === 'settle') {
              const refund = [...world.engine.world.rows('refunds')][one.nth]
              if (refund) world.run('settle_refund', { refund_id: refund.id, status: one.ok ? 'succeeded' : 'failed' })
            } else world.advance(one.ms)
          } catch (error) {
            expect(error).toBeInstanceOf(RefusalError)
          }
          const payment = world.payment(object.id)
          const sums = { pending: 0, succeeded: 0, failed: 0 }
          for (const { status, amount } of world.engine.world.rows('refunds')) sums[status] += amount
          expect(payment.amount_refunded).toBe(sums.succeeded)
          expect(sums.succeeded + sums.pending).toBeLessThanOrEqual(1000)
          expect(payment.status).toBe(sums.succeeded === 1000 ? 'refunded' : 'succeeded')
        }
        const told = world.events().filter(({ event }) => event === 'payment.refunded').length
        expect(told).toBe(world.engine.world.size('refunds'))
      }),
      { seed: 20260506, numRuns: 300 },
    )
  })
})
