// New payments, refunds and payouts as whole rows.
import { describe, expect, test } from 'vitest'
import { bankDirectory } from '../../src/domain/bank.ts'
import { DECISIONS } from '../../src/engine/decisions.ts'
import { seededRandomness } from '../../src/random.ts'
import { START, startWorld } from './bench-world.ts'

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('a new payment', () => {
  test('has defaults, its expiry and the step of the simulated buyer', () => {
    const world = startWorld()
    const { object } = world.create()
    expect(object).toEqual({
      id: UUID,
      merchant_id: world.merchant.id,
      shop_id: world.shop.id,
      mode: 'test',
      order_id: `ord_${START}`,
      amount: 100,
      amount_refunded: 0,
      amount_usdt: expect.any(Number),
      currency: 'RUB',
      method: 'sbp',
      status: 'pending',
      created_at: START,
      expires_at: START + world.engine.world.settings.link_ttl,
      metadata: { mode: 'test', simulator_outcome: 'succeeded' },
      plan: { outcome: 'succeeded', decided_by: 'default' },
      step: 'open_session',
      step_at: START + world.engine.world.settings['delays.session'],
      seq: expect.any(Number),
    })
    expect(world.stream).toEqual([
      {
        kind: 'payment.created',
        shop_id: world.shop.id,
        mode: 'test',
        at: START,
        payload: { id: object.id, status: 'pending', amount: 100, currency: 'RUB', order_id: object.order_id },
      },
    ])
    // V8 needs all fields from the start.
    expect(Object.keys(object)).toEqual(expect.arrayContaining(['captured_at', 'rrn', 'customer_payer_bank']))
  })

  test('has the fields of its request', () => {
    const world = startWorld()
    const given = {
      order_id: 'A-1',
      customer_id: 'c1',
      return_url: 'http://shop/return',
      webhook_url: 'http://shop/hook',
      description: 'Tea',
      metadata: { cart: '7' },
    }
    const { object } = world.create(given, { plan: { outcome: 'failed', code: 'card_lost' } })
    expect(object).toMatchObject({
      ...given,
      metadata: {
        cart: '7',
        mode: 'test',
        webhook_url: 'http://shop/hook',
        customer_id: 'c1',
        simulator_outcome: 'failed',
        simulator_failure_code: 'card_lost',
      },
    })
  })

  test('has its bank in live mode, unless its method is not chosen yet', () => {
    const world = startWorld()
    const live = { caller: { ...world.caller, mode: 'live' as const } }
    const { object } = world.create({}, live)
    expect([object.bank, object.bank_ref]).toEqual([expect.stringMatching(/./), expect.stringMatching(/^\d{16}$/)])
    expect(object.metadata).toEqual({ mode: 'live', bank_ref: object.bank_ref })
    const any = world.create({ method: 'any' }, live).object
    expect([any.bank, any.bank_ref, any.metadata]).toEqual([undefined, undefined, { mode: 'live' }])
    const open = world.run('act_on_payment', { payment_id: any.id, act: { action: 'open_session' } })
    expect(open.metadata['bank_ref']).toMatch(/^\d{16}$/)
    expect(open.bank_ref).toBe(open.metadata['bank_ref'])
  })

  test.each([
    [0, 0],
    [0.5, 15],
    [0.999, 29],
  ])('has in live mode for the random number %f the bank at %i', (draw, place) => {
    const { log, caller } = startWorld()
    const context = { now: START, commitNumber: 9, random: { ...seededRandomness(1), draw: () => draw } }
    const input = { amount: 100, currency: 'RUB', method: 'sbp', metadata: {} } as const
    const commit = DECISIONS.create_payment({ caller: { ...caller, mode: 'live' }, input }, log.world, context)
    expect(commit.result.object.bank).toBe(bankDirectory('top30')[place]?.name)
  })

  const delays = { 'delays.buyer': '2s', 'delays.session': '3s', 'delays.bank': '5s' } as const

  test.each([
    ['sbp', 'auto', {}, 'open_session', 3000],
    ['any', 'auto', {}, 'pick_method', 2000],
    ['recurrent', 'auto', {}, 'open_session', 0],
    ['recurrent', 'manual', {}, 'open_session', 0],
    ['sbp', 'manual', {}, undefined, undefined],
    ['any', 'manual', {}, undefined, undefined],
    ['sbp', 'auto', { plan: { outcome: 'requires_action' } }, undefined, undefined],
  ] as const)(
    'with the method %s, the buyer %s and %j has the first step %s after %s ms',
    (method, buyer, more, step, wait) => {
      const world = startWorld()
      world.run('change_settings', { values: { buyer, ...delays } })
      const { object } = world.create({ method }, more)
      expect([object.step, object.step_at]).toEqual([step, wait === undefined ? undefined : START + wait])
    },
  )

  test('goes through its steps at the times of the settings', () => {
    const world = startWorld()
    world.run('change_settings', { values: delays })
    const { id } = world.create({ method: 'any' }).object
    const at = (ms: number) => {
      world.advance(ms)
      const { status, method, step } = world.payment(id)
      return [status, method, step]
    }
    expect([at(1999), at(1)]).toEqual([
      ['pending', 'any', 'pick_method'],
      ['pending', 'sbp', 'open_session'],
    ])
    expect([at(2999), at(1)]).toEqual([
      ['pending', 'sbp', 'open_session'],
      ['processing', 'sbp', 'bank_answer'],
    ])
    expect([at(4999), at(1)]).toEqual([
      ['processing', 'sbp', 'bank_answer'],
      ['succeeded', 'sbp', undefined],
    ])
    expect(world.payment(id)).toMatchObject({
      captured_at: START + 10_000,
      finalized_at: START + 10_000,
      rrn: expect.stringMatching(/^\d{12}$/),
    })
    expect(world.timers()).toEqual([])
  })

  test('ends in the same commit if it is refused at once', () => {
    const world = startWorld()
    const { object } = world.create({}, { plan: { outcome: 'refused', code: 'card_lost' } })
    expect([object.status, object.metadata['failure_code'], object.finalized_at]).toEqual([
      'failed',
      'card_lost',
      START,
    ])
    expect(world.stream.map(({ kind, payload }) => [kind, payload['status'], payload['previous_status']])).toEqual([
      ['payment.created', 'pending', undefined],
      ['payment.status_changed', 'processing', 'pending'],
      ['payment.status_changed', 'failed', 'processing'],
    ])
  })
})

describe('a new payout', () => {
  const input = { amount: 900, currency: 'RUB', phone: '+79161234567', bank_id: '100000000111' } as const

  test('has its recipient, and settles after the delay of the bank', () => {
    const world = startWorld()
    world.run('change_settings', { values: { 'delays.bank': '5s' } })
    const made = world.run('create_payout', { caller: world.caller, input })
    expect(made).toEqual({
      object: {
        id: UUID,
        merchant_id: world.merchant.id,
        shop_id: world.shop.id,
        mode: 'test',
        amount: 900,
        currency: 'RUB',
        method: 'payouts_sbp',
        status: 'pending',
        fail_reason: '',
        recipient: { phone: input.phone, bank_id: input.bank_id },
        created_at: START,
        plan: { outcome: 'succeeded', decided_by: 'default' },
      },
      repeated: false,
      cut: false,
      warnings: [],
    })
    const row = () => world.engine.world.get('payouts', made.object.id)
    world.advance(4999)
    expect(row()?.status).toBe('pending')
    world.advance(1)
    expect(row()).toEqual({ ...made.object, status: 'succeeded', completed_at: START + 5000 })
    expect(world.stream.map(({ kind, payload }) => [kind, payload])).toEqual([
      ['payout.created', { id: made.object.id, status: 'pending', amount: 900, currency: 'RUB' }],
      [
        'payout.status_changed',
        { id: made.object.id, status: 'succeeded', amount: 900, currency: 'RUB', previous_status: 'pending' },
      ],
    ])
  })

  test.each([
    [{ outcome: 'pending' }, 'pending', ''],
    [{ outcome: 'requires_action' }, 'pending', ''],
    [{ outcome: 'refused', code: 'card_lost' }, 'failed', 'card_lost'],
  ])('with the plan %j is %s and has no timer', (plan, status, fail_reason) => {
    const world = startWorld()
    const { object } = world.run('create_payout', { caller: world.caller, input, plan: plan as never })
    expect([object.status, object.fail_reason, world.timers()]).toEqual([status, fail_reason, []])
  })

  test('has the name of the recipient, a bank in live mode, and is cut if the plan says so', () => {
    const world = startWorld()
    const made = world.run('create_payout', {
      caller: { ...world.caller, mode: 'live' },
      input: { ...input, full_name: 'A B' },
      plan: { outcome: 'cut' } as never,
    })
    expect(made.cut).toBe(true)
    expect(made.object).toMatchObject({
      recipient: { full_name: 'A B' },
      bank: expect.stringMatching(/./),
      bank_ref: expect.stringMatching(/^\d{16}$/),
    })
  })

  test('needs a shop with a route for payouts', () => {
    const world = startWorld()
    const { shop } = world.run('create_shop', { payout_route: false })
    expect(() => world.run('create_payout', { caller: { shop_id: shop.id, mode: 'test' }, input })).toThrow(
      expect.objectContaining({ code: 'route_not_configured' }),
    )
  })
})

test('a refund is pending until its delay is over, and its event says what is refunded by then', () => {
  const world = startWorld()
  world.run('change_settings', { values: { 'delays.refund': '1s' } })
  const { id } = world.create().object
  world.run('act_on_payment', { payment_id: id, act: { action: 'pay' } })
  const made = world.run('refund_payment', { caller: world.caller, payment_id: id, amount: 40, reason: 'why' })
  expect(made).toEqual({
    object: {
      id: UUID,
      payment_id: id,
      merchant_id: world.merchant.id,
      shop_id: world.shop.id,
      amount: 40,
      reason: 'why',
      status: 'pending',
      created_at: START,
      plan: { outcome: 'succeeded', decided_by: 'default' },
    },
    repeated: false,
    cut: false,
    warnings: [],
  })
  expect(world.stream.at(-1)).toMatchObject({
    kind: 'refund.created',
    payload: {
      id: made.object.id,
      payment_id: id,
      amount: 40,
      status: 'pending',
      currency: 'RUB',
      order_id: `ord_${START}`,
    },
  })
  expect(JSON.parse(world.events().at(-1)?.body ?? '').data).toMatchObject({
    id,
    amount_refunded: 0,
    refunds: [{ id: made.object.id, status: 'pending' }],
  })
  world.advance(999)
  expect(world.payment(id).amount_refunded).toBe(0)
  world.advance(1)
  expect(world.payment(id).amount_refunded).toBe(40)
  expect(world.engine.world.get('refunds', made.object.id)).toEqual({
    ...made.object,
    status: 'succeeded',
    completed_at: START + 1000,
  })
  const rest = world.run('refund_payment', { caller: world.caller, payment_id: id })
  expect(rest.object.amount).toBe(60)
  const refusal = (code: string, message: string) => expect.objectContaining({ code, message })
  const again = () => world.run('refund_payment', { caller: world.caller, payment_id: id, amount: 1 })
  expect(again).toThrow(
    refusal('already_refunded', 'Nothing is left to refund: refunded or pending refunds take up the whole amount.'),
  )
  world.advance(1000)
  expect(world.payment(id)).toMatchObject({ status: 'refunded', amount_refunded: 100 })
  expect(again).toThrow(expect.objectContaining({ code: 'already_refunded' }))
})

test('a refund above the remainder is refused, and so is a refund of a payment that did not succeed', () => {
  const world = startWorld()
  const { id } = world.create().object
  const refund = (amount: number) => () =>
    world.run('refund_payment', { caller: world.caller, payment_id: id, amount }).object.amount
  const refusal = (code: string, message: string) => expect.objectContaining({ code, message })
  expect(refund(1)).toThrow(refusal('not_refundable', 'The payment is pending; only a succeeded one can be refunded.'))
  world.run('act_on_payment', { payment_id: id, act: { action: 'pay' } })
  const message = 'Only 100 minor units are left to refund, but 101 were requested.'
  expect(refund(101)).toThrow(refusal('amount_exceeds_remainder', message))
  expect(refund(100)()).toBe(100)
})
