// Spec 3.1: the states of a payment, and what moves it from one to the next.
import { describe, expect, it } from 'vitest'
import { hasBuyer, PAYMENT_METHODS } from '../../src/domain/payment-methods.ts'
import { isFinalPayment, PAYMENT_STATUSES, PAYMENT_TRANSITIONS } from '../../src/domain/payment-states.ts'
import type { Plan } from '../../src/domain/simulator-plan.ts'
import { startWorld } from '../engine/bench-world.ts'

const plan = (outcome: Plan['outcome'], code?: string) => ({ plan: { outcome, ...(code ? { code } : {}) } as Plan })
const MINUTE = 60_000

describe('3.1 states of a payment', () => {
  it('starts pending; method any opens no session and has no processing_until', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' })
    expect(object).toMatchObject({ status: 'pending', method: 'any' })
    expect(object.processing_until).toBeUndefined()
  })

  it('goes pending, processing, succeeded, with one webhook at the end and every change on the stream', () => {
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

  it('lets the automatic buyer choose sbp for method any, without a webhook', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' })
    world.advance(2000)
    expect(world.payment(object.id)).toMatchObject({ status: 'pending', method: 'sbp' })
    expect(world.stream).toHaveLength(1)
    world.advance(2000)
    expect(world.payment(object.id).status).toBe('succeeded')
  })

  it.each(PAYMENT_METHODS.filter(hasBuyer))('leaves %s to a person with buyer manual', (method) => {
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
  })

  it('charges recurrent with buyer manual too: it has no buyer', () => {
    const world = startWorld()
    world.run('change_settings', { values: { buyer: 'manual' } })
    const { object } = world.create({ method: 'recurrent' })
    world.advance(1000)
    expect(world.payment(object.id).status).toBe('succeeded')
  })

  it('stands down once a person has opened the page', () => {
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

  it('fails when the bank refuses, with the unified and the raw code in the metadata', () => {
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

  it('expires a session the bank never closes, at processing_until and not before', () => {
    const world = startWorld()
    const { object } = world.create({}, plan('pending'))
    world.advance(1000 + 20 * MINUTE - 1)
    expect(world.payment(object.id).status).toBe('processing')
    world.advance(1)
    expect(world.payment(object.id)).toMatchObject({ status: 'expired', metadata: { failure_code: 'session_timeout' } })
    expect(world.payment(object.id).metadata).not.toHaveProperty('bank_failure_code')
    expect(world.events().map(({ event }) => event)).toEqual(['payment.expired'])
  })

  it('expires a link nobody completed', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' }, plan('requires_action'))
    world.advance(24 * 60 * MINUTE - 1)
    expect(world.payment(object.id).status).toBe('pending')
    world.advance(1)
    expect(world.payment(object.id)).toMatchObject({ status: 'expired', metadata: { failure_code: 'link_expired' } })
  })

  it('counts only processing_until once a session is open, even when the link runs out', () => {
    const world = startWorld()
    world.run('change_settings', { values: { link_ttl: '1m' } })
    const { object } = world.create({}, plan('pending'))
    world.advance(10 * MINUTE)
    expect(world.payment(object.id).status).toBe('processing')
  })

  it('cancels only while pending, and nothing happens to it later', () => {
    const world = startWorld()
    const { object } = world.create()
    world.run('cancel_payment', { caller: world.caller, payment_id: object.id })
    expect(() => world.run('cancel_payment', { caller: world.caller, payment_id: object.id })).toThrow(/cancelled/)
    world.advance(48 * 60 * MINUTE)
    expect(world.payment(object.id).status).toBe('cancelled')
    expect(world.events().map(({ event }) => event)).toEqual(['payment.cancelled'])
  })

  it('refuses a cancel in processing with not_pending', () => {
    const world = startWorld()
    const { object } = world.create()
    world.advance(1000)
    expect(() => world.run('cancel_payment', { caller: world.caller, payment_id: object.id })).toThrow(
      expect.objectContaining({ code: 'not_pending' }),
    )
  })

  it('refuses synchronously through processing, within the create', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' }, plan('refused', 'do_not_honor'))
    expect(object).toMatchObject({ status: 'failed', method: 'sbp', metadata: { failure_code: 'do_not_honor' } })
    expect(world.stream.map(({ payload }) => payload['status'])).toEqual(['pending', 'processing', 'failed'])
    expect(world.timers()).toEqual([])
  })

  it('opens the session of a recurrent payment at once', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'recurrent' })
    world.advance(0)
    expect(world.payment(object.id).status).toBe('processing')
  })

  it.each(['succeeded', 'failed', 'expired', 'cancelled'] as const)('lets no act move a %s payment', (status) => {
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

  it('has no way out of a final state but the full refund', () => {
    for (const { from, on } of PAYMENT_TRANSITIONS) {
      if (isFinalPayment(from)) expect([from, on]).toEqual(['succeeded', 'fully_refunded'])
    }
    const reached = new Set(PAYMENT_TRANSITIONS.map(({ to }) => to))
    expect([...PAYMENT_STATUSES].filter((status) => !reached.has(status))).toEqual([])
  })

  it('gives every success an rrn of twelve digits of its own', () => {
    const world = startWorld()
    const ids = Array.from({ length: 200 }, () => world.create().object.id)
    world.advance(2000)
    const rrns = ids.map((id) => world.payment(id).rrn)
    expect(new Set(rrns).size).toBe(200)
    for (const rrn of rrns) expect(rrn).toMatch(/^\d{12}$/)
  })
})
