// Spec 3.1: the states of a payment and its transitions.
import { describe, expect, it } from 'vitest'
import { hasBuyer, PAYMENT_METHODS } from '../../src/domain/payment-methods.ts'
import { isFinalPayment, PAYMENT_STATUSES, PAYMENT_TRANSITIONS } from '../../src/domain/payment-states.ts'
import type { Plan } from '../../src/domain/simulator-plan.ts'
import { startWorld } from '../engine/bench-world.ts'

const plan = (outcome: Plan['outcome'], code?: string) => ({ plan: { outcome, ...(code ? { code } : {}) } as Plan })
const MINUTE = 60_000

describe('3.1 states of a payment', () => {
  it('a payment starts as pending, and with the method any it has no session', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' })
    expect(object).toMatchObject({ status: 'pending', method: 'any' })
    expect(object.processing_until).toBeUndefined()
  })

  it('a payment becomes processing and succeeded, with one webhook at the end and each change on the stream', () => {
    const world = startWorld()
    const { object } = world.create()
    world.advance(1000)
    expect(world.payment(object.id)).toMatchObject({ status: 'processing', processing_until: world.now + 20 * MINUTE })
    expect(world.events()).toEqual([])
    world.advance(1000)
    expect(world.payment(object.id)).toMatchObject({
      status: 'succeeded',
      captured_at: world.now,
      finalized_at: world.now,
    })
    expect(world.events().map(({ event }) => event)).toEqual(['payment.succeeded'])
    expect(world.stream.map(({ kind, payload }) => `${kind} ${payload['status']}`)).toEqual([
      'payment.created pending',
      'payment.status_changed processing',
      'payment.status_changed succeeded',
    ])
    expect(world.timers()).toEqual([])
  })

  it('the simulated buyer chooses sbp for the method any, without a webhook', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' })
    world.advance(2000)
    expect(world.payment(object.id)).toMatchObject({ status: 'pending', method: 'sbp' })
    expect(world.stream).toHaveLength(1)
    world.advance(2000)
    expect(world.payment(object.id).status).toBe('succeeded')
  })

  it.each(PAYMENT_METHODS.filter(hasBuyer))(
    'a payment with the method %s waits for a person if the buyer is manual',
    (method) => {
      const world = startWorld()
      const before = world.create({ method }).object
      world.run('change_settings', { values: { buyer: 'manual' } })
      const { object } = world.create({ method })
      world.advance(60 * MINUTE)
      expect(world.payment(object.id)).toMatchObject({ status: 'pending', method })
      expect(world.payment(before.id)).toMatchObject({ status: 'pending', method })
      if (method !== 'any') return
      world.run('act_on_payment', { payment_id: object.id, act: { action: 'choose_method', method: 'sbp' } })
      world.advance(60 * MINUTE)
      expect(world.payment(object.id)).toMatchObject({ status: 'pending', method: 'sbp' })
    },
  )

  it('a recurrent payment is charged even if the buyer is manual', () => {
    const world = startWorld()
    world.run('change_settings', { values: { buyer: 'manual' } })
    const { object } = world.create({ method: 'recurrent' })
    world.advance(1000)
    expect(world.payment(object.id).status).toBe('succeeded')
  })

  it('the simulated buyer is disabled after a person has opened the page', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' })
    world.run('open_page', { payment_id: object.id })
    world.advance(60 * MINUTE)
    expect(world.payment(object.id)).toMatchObject({ status: 'pending', method: 'any' })
    world.run('pay_on_page', { payment_id: object.id, method: 'cards' })
    world.run('pay_on_page', { payment_id: object.id, method: 'cards' })
    expect(world.payment(object.id)).toMatchObject({ status: 'processing', method: 'cards' })
    world.advance(1000)
    expect(world.payment(object.id).status).toBe('succeeded')
    expect(world.events()).toHaveLength(1)
  })

  it('a payment fails if the bank declines, with the unified and the raw code in the metadata', () => {
    const world = startWorld()
    const sbp = world.create({}, plan('failed', 'insufficient_funds')).object
    const card = world.create({ method: 'cards' }, plan('failed', 'insufficient_funds')).object
    world.advance(2000)
    expect(world.payment(sbp.id)).toMatchObject({
      status: 'failed',
      metadata: { failure_code: 'insufficient_funds', bank_failure_code: 'I05051' },
    })
    expect(world.payment(card.id).metadata).toMatchObject({ bank_failure_code: '51' })
    expect(world.payment(sbp.id).captured_at).toBeUndefined()
    expect(world.events().map(({ event }) => event)).toEqual(['payment.failed', 'payment.failed'])
  })

  it('a session without a response from the bank expires at processing_until', () => {
    const world = startWorld()
    const { object } = world.create({}, plan('pending'))
    world.advance(1000 + 20 * MINUTE - 1)
    expect(world.payment(object.id).status).toBe('processing')
    world.advance(1)
    expect(world.payment(object.id)).toMatchObject({ status: 'expired', metadata: { failure_code: 'session_timeout' } })
    expect(world.payment(object.id).metadata).not.toHaveProperty('bank_failure_code')
    expect(world.events().map(({ event }) => event)).toEqual(['payment.expired'])
  })

  it('a payment link without a payment expires', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' }, plan('requires_action'))
    world.advance(24 * 60 * MINUTE - 1)
    expect(world.payment(object.id).status).toBe('pending')
    world.advance(1)
    expect(world.payment(object.id)).toMatchObject({ status: 'expired', metadata: { failure_code: 'link_expired' } })
  })

  it('an open session ends at processing_until, even if the link expires before', () => {
    const world = startWorld()
    world.run('change_settings', { values: { link_ttl: '1m' } })
    const { object } = world.create({}, plan('pending'))
    world.advance(10 * MINUTE)
    expect(world.payment(object.id).status).toBe('processing')
  })

  it('a pending payment can be cancelled and does not change afterwards', () => {
    const world = startWorld()
    const { object } = world.create()
    world.run('cancel_payment', { caller: world.caller, payment_id: object.id })
    expect(() => world.run('cancel_payment', { caller: world.caller, payment_id: object.id })).toThrow(/cancelled/)
    world.advance(48 * 60 * MINUTE)
    expect(world.payment(object.id).status).toBe('cancelled')
    expect(world.events().map(({ event }) => event)).toEqual(['payment.cancelled'])
  })

  it('a cancel of a processing payment is rejected with not_pending', () => {
    const world = startWorld()
    const { object } = world.create()
    world.advance(1000)
    expect(() => world.run('cancel_payment', { caller: world.caller, payment_id: object.id })).toThrow(
      expect.objectContaining({ code: 'not_pending' }),
    )
  })

  it('a synchronous refusal passes through processing within the create', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' }, plan('refused', 'do_not_honor'))
    expect(object).toMatchObject({ status: 'failed', method: 'sbp', metadata: { failure_code: 'do_not_honor' } })
    expect(world.stream.map(({ payload }) => payload['status'])).toEqual(['pending', 'processing', 'failed'])
    expect(world.timers()).toEqual([])
  })

  it('the session of a recurrent payment opens at once', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'recurrent' })
    world.advance(0)
    expect(world.payment(object.id).status).toBe('processing')
  })

  it.each(['succeeded', 'failed', 'expired', 'cancelled'] as const)('no action changes a %s payment', (status) => {
    const world = startWorld()
    const { object } = world.create({}, plan('requires_action'))
    if (status === 'cancelled') world.run('cancel_payment', { caller: world.caller, payment_id: object.id })
    else {
      const act = { succeeded: 'pay', failed: 'decline', expired: 'expire' } as const
      world.run('act_on_payment', { payment_id: object.id, act: { action: act[status] } })
    }
    expect(world.payment(object.id).status).toBe(status)
    for (const action of ['open_session', 'pay', 'decline', 'expire'] as const) {
      expect(() => world.run('act_on_payment', { payment_id: object.id, act: { action } })).toThrow(
        expect.objectContaining({ code: 'not_allowed' }),
      )
    }
  })

  it('only a full refund changes a final state', () => {
    for (const { from, on } of PAYMENT_TRANSITIONS) {
      if (isFinalPayment(from)) expect([from, on]).toEqual(['succeeded', 'fully_refunded'])
    }
    const reached = new Set(PAYMENT_TRANSITIONS.map(({ to }) => to))
    expect([...PAYMENT_STATUSES].filter((status) => !reached.has(status))).toEqual([])
  })

  it('each succeeded payment has a unique rrn of twelve digits', () => {
    const world = startWorld()
    const ids = Array.from({ length: 200 }, () => world.create().object.id)
    world.advance(2000)
    const rrns = ids.map((id) => world.payment(id).rrn)
    expect(new Set(rrns).size).toBe(200)
    for (const rrn of rrns) expect(rrn).toMatch(/^\d{12}$/)
  })
})
