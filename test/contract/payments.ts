// Spec 4.1 to 4.4: create, get, cancel and refund a payment.
import { expect } from 'vitest'
import { createPayment, expectLogged, expectWarning, get, PAYMENTS, post, succeeded } from './caller.ts'
import { section } from './case.ts'

const create = section('4.1')
const read = section('4.2')
const cancel = section('4.3')
const refund = section('4.4')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const PAYMENT_CASES = [
  create('a payment needs only an amount', async (adapter) => {
    const { status, body } = await createPayment(adapter, { amount: 150_000 })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['idempotent', 'mode', 'payment', 'payment_url', 'simulator'])
    expect(body).toMatchObject({ mode: 'test', idempotent: false, simulator: 'succeeded' })
    const { payment } = body
    expect(payment.id).toMatch(UUID)
    expect(payment.merchant_id).toBe(adapter.shop.merchant_id)
    expect(payment).toMatchObject({ shop_id: adapter.shop.shop_id, terminal_id: adapter.shop.shop_id })
    expect(payment.shop_name).toBe(payment.terminal_name)
    expect(payment.order_id).toMatch(/^ord_\d{13}$/)
    expect(payment).toMatchObject({
      amount: 150_000,
      amount_refunded: 0,
      amount_usdt: 18.75,
      currency: 'RUB',
      method: 'any',
      status: 'pending',
      refunds: [],
    })
    expect(payment.metadata).toEqual({ mode: 'test', simulator_outcome: 'succeeded' })
    expect(payment.created_at).toMatch(TIME)
    expect(Date.parse(payment.expires_at) - Date.parse(payment.created_at)).toBe(24 * 3600 * 1000)
    for (const unset of ['rrn', 'captured_at', 'finalized_at', 'processing_until', 'return_url', 'description']) {
      expect(payment).not.toHaveProperty(unset)
    }
    expect(body.payment_url).toMatch(new RegExp(`^https?://[^/]+/pay/${payment.id}$`))
  }),
  create('a payment accepts each field', async (adapter) => {
    const { status, body } = await createPayment(adapter, {
      currency: 'USD',
      method: 'cards',
      order_id: 'A-1',
      customer_id: 'c-7',
      return_url: 'https://shop.example/done?x=1#end',
      description: 'Чай',
      webhook_url: 'http://shop.example/hook',
      metadata: { cart: '9', mode: 'mine' },
    })
    expect(status).toBe(201)
    expect(body.payment).toMatchObject({
      currency: 'USD',
      method: 'cards',
      order_id: 'A-1',
      return_url: 'https://shop.example/done?x=1#end',
      amount_usdt: 0,
      metadata: { cart: '9', mode: 'test', customer_id: 'c-7', webhook_url: 'http://shop.example/hook' },
    })
    expect(body.payment_url).toContain(`/pay/${body.payment.id}`)
  }),
  create('a synchronously refused payment is 201 with the reason', async (adapter) => {
    const { status, body } = await createPayment(adapter, {}, { headers: { 'X-PSP-Simulate': 'refused:do_not_honor' } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ simulator: 'failed', failure_code: 'do_not_honor' })
    expect(body.failure_message).toMatch(/\w/)
    expect(body.payment).toMatchObject({ status: 'failed', metadata: { failure_code: 'do_not_honor' } })
  }),
  create('X-PSP-Simulate sets the plan, and an unknown one is 400 with the list of plans', async (adapter) => {
    const planned = (plan: string) => createPayment(adapter, {}, { headers: { 'X-PSP-Simulate': plan } })
    expect((await planned('failed:insufficient_funds@30s')).body).toMatchObject({
      simulator: 'failed',
      payment: { metadata: { simulator_outcome: 'failed', simulator_failure_code: 'insufficient_funds' } },
    })
    await expectLogged(adapter, { decided_by: 'header' })
    for (const plan of ['', 'success', 'failed:', 'failed:nothing', 'succeeded@5', 'succeeded@1s@2s', 'да']) {
      const { status, body } = await planned(encodeURI(plan))
      expect(status).toBe(400)
      expect(body.error.message).toContain('requires_action')
    }
  }),
  create('metadata.simulate sets the plan, and other text is ignored with a warning', async (adapter) => {
    expect((await createPayment(adapter, { metadata: { simulate: 'pending' } })).body.simulator).toBe('pending')
    await expectLogged(adapter, { decided_by: 'metadata' })
    const { status, body } = await createPayment(adapter, { metadata: { simulate: 'whatever' } })
    expect(status).toBe(201)
    expect(body.simulator).toBe('succeeded')
    await expectWarning(adapter, 'whatever')
  }),
  create('the setting http_return_url allows http only for loopback hosts', async (adapter) => {
    expect((await createPayment(adapter, { return_url: 'http://localhost:3000/x' })).status).toBe(400)
    await adapter.arrange.settings({ http_return_url: true })
    expect((await createPayment(adapter, { return_url: 'http://localhost:3000/x' })).status).toBe(201)
    expect((await createPayment(adapter, { return_url: 'http://shop.example/' })).status).toBe(400)
  }),
  create('a response in live mode has bank and bank_ref and no simulator fields', async (adapter) => {
    await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id, live_enabled: true })
    const key = await adapter.arrange.key(adapter.shop.shop_id, 'live')
    const { status, body } = await createPayment(adapter, { method: 'sbp', amount: 10_051 }, { key })
    expect(status).toBe(201)
    expect(body).toMatchObject({ mode: 'live', bank: expect.any(String), bank_ref: expect.any(String) })
    expect(body).not.toHaveProperty('simulator')
    expect(Object.keys(body.payment.metadata).filter((key) => key.startsWith('simulator'))).toEqual([])
    expect(body.payment.metadata).toMatchObject({ mode: 'live', bank_ref: body.bank_ref })
    await adapter.arrange.advance(10_000)
    expect((await get(adapter, `${PAYMENTS}/${body.payment.id}`, { key })).body.status).toBe('succeeded')
  }),
  read('a succeeded payment has the data of the bank', async (adapter) => {
    const id = await succeeded(adapter)
    const { status, body } = await get(adapter, `${PAYMENTS}/${id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'succeeded', rrn: expect.stringMatching(/^\d{12}$/) })
    expect(body.captured_at).toMatch(TIME)
    expect(body.finalized_at).toMatch(TIME)
    expect(Date.parse(body.processing_until)).toBeGreaterThan(Date.parse(body.created_at))
  }),
  read('the settings naming, empty_dates and time_fraction change the format', async (adapter) => {
    await adapter.arrange.settings({ naming: 'terminal', empty_dates: '', time_fraction: 0 })
    const { payment } = (await createPayment(adapter)).body
    expect(payment).not.toHaveProperty('shop_id')
    expect(payment.terminal_id).toBe(adapter.shop.shop_id)
    expect(payment.captured_at).toBe('')
    expect(payment.created_at).toMatch(/:\d\dZ$/)
    await adapter.arrange.settings({ naming: 'shop', empty_dates: 'null' })
    const again = (await get(adapter, `${PAYMENTS}/${payment.id}`)).body
    expect(again).not.toHaveProperty('terminal_id')
    expect(again.captured_at).toBeNull()
  }),
  cancel('a pending payment can be cancelled once', async (adapter) => {
    const { id } = (await createPayment(adapter)).body.payment
    const first = await post(adapter, `${PAYMENTS}/${id}/cancel`)
    expect([first.status, first.body]).toEqual([200, { status: 'cancelled' }])
    const second = await post(adapter, `${PAYMENTS}/${id}/cancel`)
    expect([second.status, second.body.error.code]).toEqual([409, 'not_pending'])
    expect((await get(adapter, `${PAYMENTS}/${id}`)).body.status).toBe('cancelled')
  }),
  cancel('a payment that is not pending cannot be cancelled', async (adapter) => {
    const reply = await post(adapter, `${PAYMENTS}/${await succeeded(adapter)}/cancel`)
    expect([reply.status, reply.body.error.code]).toEqual([409, 'not_pending'])
  }),
  refund('a refund without a body, with {} or with amount 0 covers the remainder', async (adapter) => {
    for (const body of [undefined, {}, { amount: 0 }, { amount: null }]) {
      const id = await succeeded(adapter)
      const { status, body: made } = await post(adapter, `${PAYMENTS}/${id}/refund`, body)
      expect(status).toBe(201)
      expect(made).toMatchObject({ payment_id: id, amount: 150_000, status: 'succeeded', idempotent: false })
      expect(made.merchant_id).toBe(adapter.shop.merchant_id)
      expect(made.completed_at).toMatch(TIME)
      expect((await get(adapter, `${PAYMENTS}/${id}`)).body.status).toBe('refunded')
    }
  }),
  refund('partial refunds add up, are listed, and cannot exceed the payment', async (adapter) => {
    const id = await succeeded(adapter)
    const first = await post(adapter, `${PAYMENTS}/${id}/refund`, { amount: 50_000, reason: 'size' })
    expect(first.body).toMatchObject({ amount: 50_000, reason: 'size' })
    const over = await post(adapter, `${PAYMENTS}/${id}/refund`, { amount: 100_001 })
    expect([over.status, over.body.error.code]).toEqual([422, 'amount_exceeds_remainder'])
    const payment = (await get(adapter, `${PAYMENTS}/${id}`)).body
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 50_000 })
    const { idempotent, ...shown } = first.body
    expect(payment.refunds).toEqual([shown])
    expect((await post(adapter, `${PAYMENTS}/${id}/refund`)).body.amount).toBe(100_000)
    const none = await post(adapter, `${PAYMENTS}/${id}/refund`)
    expect([none.status, none.body.error.code]).toEqual([409, 'already_refunded'])
  }),
  refund('a payment that has not succeeded cannot be refunded', async (adapter) => {
    const { id } = (await createPayment(adapter)).body.payment
    const reply = await post(adapter, `${PAYMENTS}/${id}/refund`)
    expect([reply.status, reply.body.error.code]).toEqual([409, 'not_refundable'])
  }),
  refund('the body of a refund is checked before its payment is looked up', async (adapter) => {
    const reply = await post(adapter, `${PAYMENTS}/00000000-0000-4000-8000-000000000000/refund`, { amount: 'x' })
    expect(reply.status).toBe(400)
  }),
  refund('X-PSP-Simulate can keep a refund pending', async (adapter) => {
    const id = await succeeded(adapter)
    const headers = { 'X-PSP-Simulate': 'pending' }
    const { body } = await post(adapter, `${PAYMENTS}/${id}/refund`, { amount: 100 }, { headers })
    expect(body.status).toBe('pending')
    expect(body).not.toHaveProperty('completed_at')
  }),
]
