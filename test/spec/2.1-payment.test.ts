// Spec 2.1: the payment, field by field.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
})
afterEach(() => sandbox.close())

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Fields }> {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1:7770/v1/public${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: (await response.json()) as Fields }
}
type Fields = { readonly [field: string]: unknown }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

async function create(input: Fields = {}): Promise<Fields> {
  const { body } = await call('POST', '/payments', { amount: 150_000, ...input })
  return body['payment'] as Fields
}
const get = async (id: unknown) => (await call('GET', `/payments/${id}`)).body

describe('2.1 fields of a payment', () => {
  it('a new payment has the fields of a pending one and no empty fields', async () => {
    const payment = await create({ order_id: 'A-1', return_url: 'https://shop.example/back?x=1' })
    const { shop_id } = sandbox.defaultShop()
    expect(payment).toEqual({
      id: expect.stringMatching(UUID),
      merchant_id: expect.stringMatching(UUID),
      shop_id,
      shop_name: 'Local shop',
      terminal_id: shop_id,
      terminal_name: 'Local shop',
      order_id: 'A-1',
      amount: 150_000,
      amount_refunded: 0,
      amount_usdt: 18.75,
      currency: 'RUB',
      method: 'any',
      status: 'pending',
      return_url: 'https://shop.example/back?x=1',
      created_at: expect.stringMatching(TIME),
      expires_at: expect.stringMatching(TIME),
      metadata: { mode: 'test', simulator_outcome: 'succeeded' },
      refunds: [],
    })
  })

  it.each(['sbp', 'cards', 'tpay', 'sberpay', 'recurrent', 'any'])(
    'a payment has the requested method %s',
    async (method) => {
      expect(await create({ method })).toMatchObject({ method })
    },
  )

  it('a payment gets a bank, payer, reference and times until it succeeds', async () => {
    const { id, created_at } = await create({ method: 'sbp' })
    await sandbox.timeline.advance({ by: 1000 })
    const processing = await get(id)
    expect(processing).toMatchObject({
      status: 'processing',
      customer_phone_mask: expect.stringMatching(/^\+7\*{6}\d{4}$/),
      customer_payer_bank: expect.any(String),
      bank_name: expect.any(String),
      processing_until: expect.stringMatching(TIME),
    })
    for (const later of ['rrn', 'captured_at', 'finalized_at']) expect(processing).not.toHaveProperty(later)
    await sandbox.timeline.advance({ by: 1000 })
    const done = await get(id)
    expect(done).toMatchObject({ status: 'succeeded', rrn: expect.stringMatching(/^\d{12}$/) })
    expect(done['captured_at']).toBe(new Date(Date.parse(String(created_at)) + 2000).toISOString())
    expect(done['finalized_at']).toBe(done['captured_at'])
  })

  it('a payment by card has a masked card, brand and holder', async () => {
    const { id } = await create({ method: 'cards' })
    await sandbox.timeline.advance({ by: 1000 })
    expect(await get(id)).toMatchObject({
      customer_card_mask: expect.stringMatching(/^\d{6}\*+\d{4}$/),
      customer_card_brand: expect.any(String),
      customer_card_holder: expect.any(String),
    })
  })

  it('a payment has its refunds and their succeeded sum, and its final time does not change', async () => {
    const { id } = await create({ method: 'sbp' })
    await sandbox.timeline.advance({ until: 'idle' })
    const before = await get(id)
    await sandbox.timeline.advance({ by: 60_000 })
    const refund = await call('POST', `/payments/${id}/refund`, { amount: 50_000, reason: 'one item' })
    expect(refund.status).toBe(201)
    const part = await get(id)
    expect(part).toMatchObject({ status: 'succeeded', amount_refunded: 50_000 })
    expect(part['refunds']).toMatchObject([{ amount: 50_000, reason: 'one item', status: 'succeeded' }])
    await call('POST', `/payments/${id}/refund`, {})
    const whole = await get(id)
    expect(whole).toMatchObject({ status: 'refunded', amount_refunded: 150_000, finalized_at: before['finalized_at'] })
  })

  it.each([
    ['shop', ['shop_id', 'shop_name'], ['terminal_id', 'terminal_name']],
    ['terminal', ['terminal_id', 'terminal_name'], ['shop_id', 'shop_name']],
  ])('a payment has the fields of a %s if the setting requires it', async (naming, there, absent) => {
    sandbox.engine.execute('change_settings', { values: { naming } })
    const payment = await create()
    for (const field of there) expect(payment).toHaveProperty(field)
    for (const field of absent) expect(payment).not.toHaveProperty(field)
  })

  it.each([
    ['null', null],
    ['', ''],
  ])('a payment has unset times as %j if the setting requires it', async (empty_dates, shown) => {
    sandbox.engine.execute('change_settings', { values: { empty_dates } })
    expect(await create()).toMatchObject({ captured_at: shown, finalized_at: shown, processing_until: shown })
  })

  it('a generated order_id is ord_ and the time in ms', async () => {
    const payment = await create()
    expect(payment['order_id']).toBe(`ord_${Date.parse(String(payment['created_at']))}`)
  })

  it.each([
    ['USD', 0],
    ['RUB', 18.75],
  ])('a payment in %s has an amount_usdt only if there is a rate', async (currency, usdt) => {
    expect((await create({ currency }))['amount_usdt']).toBe(usdt)
  })
})
