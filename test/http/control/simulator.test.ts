import { describe, expect, it } from 'vitest'
import { WEBHOOK_EVENTS } from '../../../src/domain/events.ts'
import { START } from '../../engine/bench-world.ts'
import { openSandbox } from '../fixtures.ts'

describe('the clock', () => {
  it('advances by a duration, to a time and until idle, and never back', async () => {
    const { get, post, pay } = await openSandbox({ clock: { mode: 'frozen', now: START } })
    const time = (ms: number) => new Date(START + ms).toISOString()
    await pay()
    expect((await get('/clock')).body).toEqual({ mode: 'frozen', now: time(0), speed: 1, next_due: time(2000) })
    expect((await post('/clock/advance', { by: '2s' })).body).toEqual({ now: time(2000), steps: 1, deliveries: 0 })
    expect((await post('/clock/advance', { until: 'idle' })).body).toMatchObject({ steps: 2 })
    expect((await post('/clock/advance', { to: time(60_000) })).body).toMatchObject({ now: time(60_000), steps: 0 })
    expect((await post('/clock', { mode: 'frozen', now: time(90_000) })).body).toMatchObject({ now: time(90_000) })
    for (const wrong of [
      undefined,
      {},
      { by: '2' },
      { by: 2 },
      { to: 'soon' },
      { until: 'later' },
      { by: '1s', until: 'idle' },
      { by: '1s', why: 'x' },
    ]) {
      expect((await post('/clock/advance', wrong)).status, JSON.stringify(wrong)).toBe(400)
    }
    const back = await post('/clock/advance', { to: time(0) })
    expect(back).toMatchObject({ status: 409, body: { error: { code: 'not_allowed' } } })
    expect((await get('/clock')).body.now).toBe(time(90_000))
  })

  it('changes its mode, and refuses a mode without its fields', async () => {
    const { get, post } = await openSandbox()
    expect((await post('/clock', { mode: 'scaled', speed: 60 })).body).toMatchObject({ mode: 'scaled', speed: 60 })
    expect((await post('/clock', { mode: 'real' })).body).toMatchObject({ mode: 'real', speed: 1 })
    for (const wrong of [
      {},
      { mode: 'fast' },
      { mode: 'scaled' },
      { mode: 'scaled', speed: 0 },
      { mode: 'real', now: '2030-01-01T00:00:00Z' },
      { mode: 'frozen', now: '2030-01-01' },
    ]) {
      expect((await post('/clock', wrong)).status, JSON.stringify(wrong)).toBe(400)
    }
    const earlier = await post('/clock', { mode: 'frozen', now: '2020-01-01T00:00:00Z' })
    expect(earlier).toMatchObject({ status: 409, body: { error: { code: 'not_allowed' } } })
    expect((await get('/clock')).body.mode).toBe('real')
  })
})

describe('acts', () => {
  it('pay, decline and expire immediately, and refuse transitions that the state table lacks', async () => {
    const { post, pay } = await openSandbox()
    const act = async (action: object, input = {}) => post(`/payments/${await pay(input)}/act`, action)
    expect((await act({ action: 'pay' })).body).toMatchObject({ status: 'succeeded', method: 'sbp' })
    expect((await act({ action: 'pay', method: 'cards' })).body).toMatchObject({ method: 'cards' })
    expect((await act({ action: 'decline' })).body.metadata).toMatchObject({ failure_code: 'do_not_honor' })
    expect((await act({ action: 'decline', failure_code: 'card_lost' })).body.status).toBe('failed')
    expect((await act({ action: 'expire' })).body).toMatchObject({ status: 'expired' })
    expect((await act({ action: 'open_session' })).body).toMatchObject({ status: 'processing', method: 'sbp' })
    expect((await act({ action: 'choose_method', method: 'tpay' })).body).toMatchObject({ method: 'tpay' })
    expect((await act({ action: 'choose_method', method: 'tpay' }, { method: 'sbp' })).status).toBe(409)
    expect((await act({ action: 'pay', method: 'sbp' }, { method: 'sbp' })).body.status).toBe('succeeded')
    for (const action of ['pay', 'decline']) {
      const other = await act({ action, method: 'cards' }, { method: 'sbp' })
      expect([other.status, other.body.error.message]).toEqual([409, expect.stringContaining('of this payment is sbp')])
    }
  })

  it.each([
    { action: 'decline', failure_code: 'nonsense' },
    { action: 'fly' },
    { action: 'choose_method' },
    { action: 'choose_method', method: 'any' },
    { action: 'pay', amount: 1 },
    {},
  ])('refuse %j with 400', async (action) => {
    const { post, pay, get } = await openSandbox()
    const id = await pay()
    expect((await post(`/payments/${id}/act`, action)).status).toBe(400)
    expect((await get('/payments')).body.items[0].status).toBe('pending')
  })

  it('are refused for final and unknown objects', async () => {
    const { post, pay } = await openSandbox()
    const id = await pay()
    await post(`/payments/${id}/act`, { action: 'pay' })
    for (const action of ['pay', 'decline', 'expire', 'open_session']) {
      const again = await post(`/payments/${id.toUpperCase()}/act`, { action })
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'not_allowed' } } })
    }
    expect((await post('/payments/none/act', { action: 'pay' })).status).toBe(404)
    expect((await post('/refunds/none/act', { action: 'settle', status: 'failed' })).status).toBe(404)
    expect((await post('/payouts/none/act', { action: 'settle', status: 'failed' })).status).toBe(404)
  })

  it('settle payouts and refunds, once', async () => {
    const { post, ask, pay, get } = await openSandbox()
    await post('/rules', { plan: 'pending', match: { operation: 'payout' } })
    await post('/rules', { plan: 'pending', match: { operation: 'refund' } })
    const id = await pay()
    await post(`/payments/${id}/act`, { action: 'pay' })
    const { body: refund } = await ask('POST', `/v1/public/payments/${id}/refund`, {})
    const payout = { amount: 100, phone: '+79161234567', bank_id: '100000000111' }
    const { body: made } = await ask('POST', '/v1/public/payouts', payout)
    for (const [path, wanted] of [
      [`/refunds/${refund.id}/act`, 'succeeded'],
      [`/payouts/${made.payout.id}/act`, 'failed'],
    ] as const) {
      expect((await post(path, { action: 'settle', status: 'done' })).status).toBe(400)
      expect((await post(path, { action: 'settle', status: 'failed', failure_code: 'nonsense' })).status).toBe(400)
      expect((await post(path, { action: 'settle', status: 'succeeded', failure_code: 'card_lost' })).status).toBe(400)
      const code = wanted === 'failed' ? { failure_code: 'bank_unknown' } : {}
      expect((await post(path, { action: 'settle', status: wanted, ...code })).body.status).toBe(wanted)
      expect((await post(path, { action: 'settle', status: wanted })).status).toBe(409)
    }
    expect((await get('/payouts')).body.items[0].fail_reason).toBe('bank_unknown')
    expect((await get('/payments')).body.items[0].status).toBe('refunded')
  })
})

describe('rules and faults', () => {
  it('are counted, listed newest first and removed', async () => {
    const { get, post, remove, ask, pay } = await openSandbox()
    const { status, body: rule } = await post('/rules', { plan: 'error:aml_blocked', times: 1 })
    expect(status).toBe(201)
    expect((await ask('POST', '/v1/public/payments', { amount: 100 })).status).toBe(403)
    await pay()
    expect((await get('/rules')).body.items).toMatchObject([{ id: rule.id, times: 0, matched: 1, applied: 1 }])
    const { body: fault } = await post('/faults', { target: 'api', fault: 'status:503', match: { path: '/v1/*' } })
    expect((await ask('GET', '/v1/public/banks/sbp')).status).toBe(503)
    expect((await get('/faults')).body.items).toMatchObject([{ id: fault.id, applied: 1 }])
    for (const [kind, id] of [
      ['rules', rule.id],
      ['faults', fault.id],
    ]) {
      expect((await remove(`/${kind}/${id}`)).status).toBe(204)
      expect((await remove(`/${kind}/${id}`)).status).toBe(404)
      expect((await remove(`/${kind}`)).status).toBe(204)
      expect((await get(`/${kind}`)).body.items).toEqual([])
    }
  })

  it.each([
    ['/rules', { plan: 'nonsense' }],
    ['/rules', { plan: [] }],
    ['/rules', {}],
    ['/rules', { plan: 'failed', match: { colour: 'red' } }],
    ['/rules', { plan: 'failed', times: 0 }],
    ['/rules', { plan: 'failed', every: 1.5 }],
    ['/rules', { plan: 'failed', time: 1 }],
    ['/faults', { target: 'api', fault: 'fly' }],
    ['/faults', { target: 'api', fault: 'latency' }],
    ['/faults', { target: 'moon', fault: 'drop' }],
    ['/faults', { target: 'webhook', fault: 'drop', match: { amonut: 1 } }],
    ['/faults', { target: 'webhook', fault: 'drop', probability: 2 }],
  ])('POST %s refuses %j', async (path, body) => {
    const { post, get } = await openSandbox()
    expect((await post(path, body)).status).toBe(400)
    expect((await get(path)).body.items).toEqual([])
  })
})

describe('trigger', () => {
  it.each(WEBHOOK_EVENTS)('makes %s happen by real operations', async (event) => {
    const { get, post, hooks, idle } = await openSandbox()
    const { received } = await hooks()
    const made = await post('/trigger', { event, set: { amount: '500' } })
    expect(made.status).toBe(201)
    await idle()
    const { body: shown } = await get(`/events/${made.body.event_id}`)
    expect(shown).toMatchObject({ event, object_id: made.body.payment_id ?? made.body.payout_id })
    expect(shown.data.amount).toBe(500)
    expect(made.body.event_ids).toContain(made.body.event_id)
    expect(received.map(({ headers }) => headers['x-psp-event-id']).sort()).toEqual([...made.body.event_ids].sort())
    expect(made.body.delivery_ids).toHaveLength(made.body.event_ids.length)
  })

  it('accepts the fields of the create request and of the action', async () => {
    const { get, post } = await openSandbox()
    const { body: other } = await post('/shops', { name: 'Other' })
    const set = {
      amount: 900,
      currency: 'JPY',
      order_id: 'o1',
      return_url: 'https://shop.example/done',
      'metadata.colour': 'red',
      shop_id: other.shop_id,
    }
    const { body } = await post('/trigger', { event: 'payment.refunded', set: { ...set, refund_amount: 300 } })
    const [payment] = (await get(`/payments?shop_id=${other.shop_id}`)).body.items
    expect(payment).toMatchObject({ id: body.payment_id, currency: 'JPY', order_id: 'o1', amount_refunded: 300 })
    const pairs = Object.keys(payment.metadata).filter((key) => key !== 'mode' && !key.startsWith('simulator_'))
    expect(pairs).toEqual(['colour'])
    expect(payment.metadata.colour).toBe('red')
    const failed = await post('/trigger', { event: 'payout.failed', set: { failure_code: 'recipient_not_found' } })
    expect((await get(`/events/${failed.body.event_id}`)).body.data.fail_reason).toBe('recipient_not_found')
  })

  it.each([
    [{ event: 'payment.paid' }, 'payment.succeeded'],
    [{ event: 'payment.failed', set: { failure_code: 'nonsense' } }, 'do_not_honor'],
    [{ event: 'payment.failed', set: { colour: 'red' } }, 'colour'],
    [{ event: 'payment.failed', set: { metadata: 'red' } }, 'metadata'],
    [{ event: 'payment.failed', set: { x: 1 } }, 'metadata.<key>, failure_code, refund_amount, reason, shop_id.'],
    [{ event: 'payout.failed', set: { x: 1 } }, 'full_name, failure_code, shop_id.'],
    [{ event: 'payment.failed', set: { amount: 0 } }, 'amount'],
    [{ event: 'payment.failed', set: { return_url: 'http://x/' } }, 'return_url'],
    [{ event: 'payout.failed', set: { phone: '1' } }, 'phone'],
    [{}, 'scenario'],
    [{ event: 'payment.failed', scenario: 'x' }, 'scenario'],
    [{ scenario: 'x' }, 'psp trigger'],
  ])('refuses the body %j and names the field', async (body, named) => {
    const { post } = await openSandbox()
    const refused = await post('/trigger', body)
    expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(named) } } })
  })

  it('refuses an unknown shop', async () => {
    const { post } = await openSandbox()
    expect((await post('/trigger', { event: 'payment.failed', shop_id: 'none' })).status).toBe(404)
  })

  it('refuses a body above 64 MiB', async () => {
    const { post } = await openSandbox()
    const { status, body } = await post('/trigger', {
      event: 'payment.succeeded',
      set: { amount: 100, 'metadata.x': 'x'.repeat(64 * 1024 * 1024) },
    })
    expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
    // The setting body_limit does not apply, so the message does not name it.
    expect(body.error.message).toBe('The body is larger than 67108864 bytes.')
  })

  it('creates an event with millions of escapes, which an export and an import keep', async () => {
    const { post, call, get } = await openSandbox()
    // A regular expression for strings overflows the stack at 4 million escapes. The row of the event has twice as many.
    const value = '"'.repeat(5_000_000)
    const made = await post('/trigger', { event: 'payment.succeeded', set: { amount: 100, 'metadata.x': value } })
    expect(made.status).toBe(201)
    const { body: state } = await get('/export')
    expect((await call('PUT', '/_psp/import', state)).status).toBe(200)
  })
})
