// The routes that only a dashboard needs: create, cancel and refund without an API key, stored messages, the schedule, and
// deliveries without bodies.
import { describe, expect, it } from 'vitest'
import { openSandbox } from '../fixtures.ts'

const FROZEN = { clock: { mode: 'frozen' as const } }

describe('payments without an API key', () => {
  it('a payment is created with its plan, and is not in the request log', async () => {
    const { post, get } = await openSandbox(FROZEN)
    const { status, body } = await post('/payments', {
      amount: 150_000,
      order_id: 'A-1',
      outcome: 'failed:do_not_honor',
    })
    expect([status, body]).toMatchObject([201, { status: 'pending', order_id: 'A-1', amount: 150_000 }])
    expect((await get('/payments')).body).toMatchObject({ items: [{ id: body['id'], plan: 'failed:do_not_honor' }] })
    expect((await get('/requests')).body).toMatchObject({ items: [] })
  })

  it.each([
    [{ amount: 0 }, 400, 'bad_request'],
    [{ amount: 100, colour: 'red' }, 400, 'bad_request'],
    [{ amount: 100, outcome: 'maybe' }, 400, 'bad_request'],
    [{ amount: 100, shop_id: 'none' }, 404, 'not_found'],
    [{ amount: 100, outcome: 'error:aml_blocked' }, 403, 'aml_blocked'],
  ])('a payment of %j is refused with %i %s', async (input, status, code) => {
    const { post } = await openSandbox(FROZEN)
    expect(await post('/payments', input)).toMatchObject({ status, body: { error: { code } } })
  })

  it('a payment can be cancelled once', async () => {
    const { post } = await openSandbox(FROZEN)
    const { body } = await post('/payments', { amount: 100 })
    expect(await post(`/payments/${body['id']}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await post(`/payments/${body['id']}/cancel`)).toMatchObject({ status: 409 })
    expect(await post('/payments/none/cancel')).toMatchObject({ status: 404 })
  })

  it('a payment can be refunded in part, with a plan', async () => {
    const { post, get } = await openSandbox(FROZEN)
    const { body } = await post('/payments', { amount: 1000, method: 'sbp' })
    await post(`/payments/${body['id']}/act`, { action: 'pay' })
    const refund = await post(`/payments/${body['id']}/refund`, { amount: 300, reason: 'size', outcome: 'pending' })
    expect(refund).toMatchObject({ status: 201, body: { amount: 300, status: 'pending', reason: 'size' } })
    expect((await get(`/refunds?payment_id=${body['id']}`)).body).toMatchObject({ items: [{ id: refund.body['id'] }] })
    expect(await post(`/payments/${body['id']}/refund`, { amount: 701 })).toMatchObject({ status: 422 })
  })

  it('a payout is created', async () => {
    const { post } = await openSandbox(FROZEN)
    const input = { amount: 5000, phone: '+79161234567', bank_id: '100000000111', outcome: 'succeeded' }
    expect(await post('/payouts', input)).toMatchObject({ status: 201, body: { status: 'pending', amount: 5000 } })
  })
})

describe('the history of an object', () => {
  it('the stored messages about a payment are in order, and messages about other payments are omitted', async () => {
    const { post, get } = await openSandbox(FROZEN)
    const { body: one } = await post('/payments', { amount: 100, method: 'sbp' })
    await post('/payments', { amount: 200 })
    await post(`/payments/${one['id']}/act`, { action: 'pay' })
    await post(`/payments/${one['id']}/refund`, {})
    const { items } = (await get(`/messages?object_id=${one['id']}`)).body as {
      items: { id: string; message: { kind: string; status?: string } }[]
    }
    expect(items.map(({ message: { kind, status } }) => [kind, status].filter(Boolean).join(' '))).toEqual([
      'payment pending',
      'payment processing',
      'payment succeeded',
      'event',
      'refund succeeded',
      'payment refunded',
      'event',
    ])
    expect(items.map(({ id }) => Number(id))).toEqual(items.map(({ id }) => Number(id)).toSorted((a, b) => a - b))
  })

  it('the schedule lists all steps, or only the steps of one payment, in order', async () => {
    const { post, get } = await openSandbox(FROZEN)
    const { body: one } = await post('/payments', { amount: 100, method: 'sbp' })
    const { body: two } = await post('/payments', { amount: 100, outcome: 'requires_action' })
    const { body: all } = await get('/clock/schedule')
    expect(all).toMatchObject({
      total: 2,
      items: [
        { object_id: one['id'], step: 'open_session' },
        { object_id: two['id'], step: 'link_timeout' },
      ],
    })
    expect((await get(`/clock/schedule?object_id=${two['id']}`)).body).toMatchObject({
      items: [{ object_id: two['id'] }],
    })
    expect((await get('/clock/schedule?limit=1')).body).toMatchObject({ items: [{ object_id: one['id'] }] })
  })
})

it('a summary of deliveries contains no header and no body', async () => {
  const { post, get, sandbox } = await openSandbox({
    ...FROZEN,
    transport: async () => ({ status: 500, headers: [['x-of-receiver', 'y']], body: { text: 'a long text' } }),
  })
  const { shop_id } = sandbox.defaultShop()
  await post(`/shops/${shop_id}/endpoints`, { url: 'http://127.0.0.1:9/hooks' })
  const { body } = await post('/payments', { amount: 100, method: 'sbp' })
  await post(`/payments/${body['id']}/act`, { action: 'pay' })
  await post('/clock/advance', { by: '1s' })
  const summary = (await get('/deliveries?fields=summary')).body
  expect(summary).toMatchObject({
    items: [{ status: 'waiting', attempts_made: 1, attempts_total: 9, last_attempt: { number: 1, status: 500 } }],
  })
  expect(JSON.stringify(summary)).not.toMatch(/x-of-receiver|a long text|"request"/)
  expect((await get('/deliveries')).body).toMatchObject({ items: [{ attempts: [{ status: 500 }] }] })
})
