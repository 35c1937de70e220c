// The hosted page: which payments a person takes over, and what a payment on the page sets.
import { describe, expect, test } from 'vitest'
import type { StoredPlan } from '../../src/domain/simulator-plan.ts'
import { START, startWorld } from './bench-world.ts'

type World = ReturnType<typeof startWorld>

const open = (world: World, payment_id: string) => world.run('open_page', { payment_id })
const pay = (world: World, payment_id: string, more: object = {}) =>
  world.run('pay_on_page', { payment_id, ...more } as never)
const kinds = (world: World) => world.timers().map(({ kind }) => kind)

describe('an opened page', () => {
  test('stops the simulated buyer of a pending payment, once', () => {
    const world = startWorld()
    const { object } = world.create()
    expect(kinds(world)).toEqual(['open_session'])
    const opened = open(world, object.id.toUpperCase())
    expect(opened).toEqual({ ...object, page_opened_at: START, step: undefined, step_at: undefined })
    expect(kinds(world)).toEqual(['link_timeout'])
    world.at(5)
    expect(open(world, object.id)).toEqual(opened)
  })

  test('does not stop a charge without a buyer', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'recurrent' })
    expect(open(world, object.id)).toEqual({ ...object, page_opened_at: START })
    expect(kinds(world)).toEqual(['open_session'])
  })

  test('takes over the session of the simulated buyer, but not one that the developer opened', () => {
    const world = startWorld()
    const [automatic, explicit] = [world.create().object.id, world.create().object.id]
    world.run('act_on_payment', { payment_id: explicit, act: { action: 'open_session' } })
    world.at(1000)
    const timer = world.timers().find(({ object_id }) => object_id === automatic)
    if (timer === undefined) throw new Error('no timer')
    world.run('run_timer', { timer })
    const before = [automatic, explicit].map(world.payment)
    expect(before.map((payment) => [payment.status, payment.step])).toEqual([
      ['processing', 'bank_answer'],
      ['processing', 'bank_answer'],
    ])
    const page_opened_at = START + 1000
    expect([open(world, automatic), open(world, explicit)]).toEqual([
      { ...before[0], page_opened_at, awaits_buyer: true, step: undefined, step_at: undefined },
      { ...before[1], page_opened_at },
    ])
  })

  test('changes nothing if the payment is final, and is not found without a payment', () => {
    const world = startWorld()
    const { object } = world.create()
    const paid = world.run('act_on_payment', { payment_id: object.id, act: { action: 'pay' } })
    expect(open(world, object.id)).toEqual(paid)
    const missing = expect.objectContaining({ code: 'not_found', message: 'The payment was not found.' })
    expect(() => open(world, 'none')).toThrow(missing)
    expect(() => pay(world, 'none')).toThrow(missing)
  })
})

describe('a payment on the page', () => {
  const card = { brand: 'mir', mask: '220022******0001' }

  test('opens the session with the payer of the page, and the bank responds by the plan', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'cards' })
    world.at(7)
    const paying = pay(world, object.id, { card: { ...card, holder: 'A B' } })
    expect(paying).toMatchObject({
      status: 'processing',
      page_opened_at: START + 7,
      plan: object.plan,
      metadata: object.metadata,
      customer_card_brand: 'mir',
      customer_card_mask: '220022******0001',
      customer_card_holder: 'A B',
    })
    expect(kinds(world)).toEqual(['bank_answer'])
    const commits = world.log.commits.length
    expect(pay(world, object.id, { card })).toEqual(paying)
    expect(world.log.commits.slice(commits).flatMap(({ puts }) => puts)).toEqual([])
    world.advance(60_000)
    expect(world.payment(object.id).status).toBe('succeeded')
  })

  test('sets the chosen bank, and keeps the time at which the page was opened', () => {
    const world = startWorld()
    const { object } = world.create()
    open(world, object.id)
    world.at(7)
    expect(pay(world, object.id, { bank: 'Т-Банк' })).toMatchObject({
      page_opened_at: START,
      customer_payer_bank: 'Т-Банк',
      bank_name: 'Т-Банк',
    })
  })

  test('needs a method if the payment has none', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'any' })
    expect(() => pay(world, object.id)).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        message: 'method: choose one of sbp, cards, tpay, sberpay first.',
      }),
    )
    expect(pay(world, object.id, { method: 'tpay' })).toMatchObject({ method: 'tpay', status: 'processing' })
    const fixed = world.create({ method: 'sbp' }).object
    expect(pay(world, fixed.id, { method: 'cards' }).method).toBe('sbp')
  })

  test('continues a session that the person took over', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'cards' })
    const [timer] = world.timers()
    if (timer === undefined) throw new Error('no timer')
    world.at(1000)
    world.run('run_timer', { timer })
    const taken = open(world, object.id)
    world.at(1)
    const paying = pay(world, object.id, { card })
    expect(paying.awaits_buyer).toBeUndefined()
    expect([paying.processing_until, paying.customer_card_mask]).toEqual([taken.processing_until, card.mask])
    expect(kinds(world)).toEqual(['bank_answer'])
  })

  const decided = (plan: object) => plan as StoredPlan
  const failed = { outcome: 'failed', code: 'card_lost' } as const

  test.each([
    ['the panel before the card', {}, { plan: failed, card: { ...card, plan: { outcome: 'pending' } } }, 'act'],
    ['a magic card before the default', {}, { card: { ...card, plan: failed } }, 'card'],
    ['a magic card before a magic amount', { amount: 10_051 }, { card: { ...card, plan: failed } }, 'card'],
  ])('takes the plan of %s, and shows it', (_, input, more, decided_by) => {
    const world = startWorld()
    const { object } = world.create({ method: 'cards', ...input })
    const { plan, metadata } = pay(world, object.id, more)
    expect(plan).toEqual(decided({ ...failed, decided_by }))
    expect(metadata).toEqual({
      ...object.metadata,
      simulator_outcome: 'failed',
      simulator_failure_code: 'card_lost',
    })
  })

  test('keeps the plan of a header against a magic card', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'cards' }, { plan: { outcome: 'pending' } })
    const paying = pay(world, object.id, { card: { ...card, plan: failed } })
    expect([paying.plan, paying.metadata]).toEqual([object.plan, object.metadata])
    expect(kinds(world)).toEqual(['session_timeout'])
  })

  test('keeps the plan of refunds, and removes a failure code that no longer applies', () => {
    const world = startWorld()
    const plan = { ...failed, refunds: 'pending' } as const
    const { object } = world.create({ method: 'cards' }, { plan })
    const paying = pay(world, object.id, { plan: { outcome: 'succeeded' } })
    expect(paying.plan).toEqual({ outcome: 'succeeded', refunds: 'pending', decided_by: 'act' })
    expect(paying.metadata).toEqual({ mode: 'test', simulator_outcome: 'succeeded' })
    const own = world.create({ method: 'cards', metadata: { simulator_failure_code: 'mine' } }).object
    expect(pay(world, own.id, { plan: { outcome: 'succeeded' } }).metadata).toEqual(own.metadata)
  })

  test.each([
    [{}, {}],
    [{ delay: 500 }, { delay: 500 }],
    [{ refunds: 'failed' }, { refunds: 'failed' }],
  ])('is the action that the plan requires_action with %j waits for', (more, rest) => {
    const world = startWorld()
    const { object } = world.create({}, { plan: { outcome: 'requires_action', ...more } as never })
    const paying = pay(world, object.id)
    expect(paying.plan).toEqual({ outcome: 'succeeded', ...rest, decided_by: 'header' })
    expect(paying.metadata).toEqual(object.metadata)
    world.advance(60_000)
    expect(world.payment(object.id).status).toBe('succeeded')
  })

  test('adds no plan to the metadata of a live payment', () => {
    const world = startWorld()
    const { object } = world.create({ method: 'cards' }, { caller: { ...world.caller, mode: 'live' } })
    const { metadata } = pay(world, object.id, { plan: failed })
    expect(metadata).toEqual(object.metadata)
  })
})
