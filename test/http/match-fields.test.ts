// A rule or fault can match an order before its payment has an id.
import { describe, expect, it } from 'vitest'
import { openSandbox } from './fixtures.ts'

type Sandbox = Awaited<ReturnType<typeof openSandbox>>

const ORDER = {
  amount: 12_300,
  currency: 'RUB',
  method: 'sbp',
  order_id: 'A-1',
  customer_id: 'c-7',
  description: 'Two books',
  metadata: { cart: '77', 'odd.name': 'x', ['__proto__']: 'p' },
}
const PAYOUT = { amount: 500, phone: '+79161234567', bank_id: '100000000111', full_name: 'Anna' }

/** The fields of the order, as matches. */
const ORDER_FIELDS: readonly (readonly [field: string, value: string | number])[] = [
  ['amount', 12_300],
  ['amount', '12*'],
  ['currency', 'RUB'],
  ['payment_method', 'sbp'],
  ['order_id', 'A-1'],
  ['order_id', 'A-*'],
  ['customer_id', 'c-7'],
  ['description', '*books'],
  ['metadata.cart', 77],
  ['metadata.cart', '7*'],
  ['metadata.odd.name', 'x'],
  ['metadata.__proto__', 'p'],
]
const PAYOUT_FIELDS: typeof ORDER_FIELDS = [
  ['amount', 500],
  ['currency', 'RUB'],
  ['payment_method', 'payouts_sbp'],
  ['phone', '+7916*'],
  ['bank_id', '100000000111'],
]
const OTHER = { amount: 400, currency: 'USD', method: 'cards', order_id: 'B-2', metadata: { cart: '1' } }
const OTHER_PAYOUT = { ...PAYOUT, amount: 700, phone: '+79990000000', bank_id: '100000000004' }

const add = async ({ post }: Sandbox, target: string, fault: string, match: object, more: object = {}) => {
  const { status, body } = await post('/faults', { target, fault, match, ...more })
  expect([status, body.error]).toEqual([201, undefined])
  return body.id as string
}
const matched = async ({ get }: Sandbox, list = 'faults') => (await get(`/${list}`)).body.items[0].matched as number

describe('a fault of the API', () => {
  it.each(ORDER_FIELDS)('matches the creation of the payment whose %s is %s', async (field, value) => {
    const sandbox = await openSandbox()
    await add(sandbox, 'api', 'status:503', { [field]: value })
    const created = async (body: object) => (await sandbox.ask('POST', '/v1/public/payments', body)).status
    expect([await created(ORDER), await created({ ...OTHER })]).toEqual([503, 201])
  })

  it.each(ORDER_FIELDS)(
    'matches GET, cancel and refund of the payment whose %s is %s, and no other',
    async (field, value) => {
      const sandbox = await openSandbox()
      const [own, other] = [await sandbox.pay(ORDER), await sandbox.pay(OTHER)]
      await add(sandbox, 'api', 'status:503', { [field]: value })
      const statuses = async (id: string) => {
        const at = `/v1/public/payments/${id}`
        const asked = [
          await sandbox.ask('GET', at),
          await sandbox.ask('POST', `${at}/cancel`),
          await sandbox.ask('POST', `${at}/refund`),
        ]
        return asked.map(({ status }) => status)
      }
      expect([await statuses(own), await statuses(other)]).toEqual([
        [503, 503, 503],
        [200, 200, 409],
      ])
    },
  )

  it('matches a payment with a refund by its whole amount, and a further refund by what is left', async () => {
    const sandbox = await openSandbox()
    const id = await sandbox.pay(ORDER)
    await sandbox.post(`/payments/${id}/act`, { action: 'pay' })
    expect((await sandbox.ask('POST', `/v1/public/payments/${id}/refund`, { amount: 300 })).status).toBe(201)
    const statuses = async () => [
      (await sandbox.ask('GET', `/v1/public/payments/${id}`)).status,
      (await sandbox.ask('POST', `/v1/public/payments/${id}/refund`)).status,
    ]
    await add(sandbox, 'api', 'status:503', { amount: 12_000 })
    expect(await statuses()).toEqual([200, 503])
    await add(sandbox, 'api', 'status:503', { amount: 12_300 })
    expect(await statuses()).toEqual([503, 503])
  })

  it.each(PAYOUT_FIELDS)('matches creation and GET of the payout whose %s is %s', async (field, value) => {
    const sandbox = await openSandbox()
    const { body } = await sandbox.ask('POST', '/v1/public/payouts', PAYOUT)
    const { body: other } = await sandbox.ask('POST', '/v1/public/payouts', OTHER_PAYOUT)
    await add(sandbox, 'api', 'status:503', { [field]: value, operation: 'payout*' })
    const sent = [
      await sandbox.ask('POST', '/v1/public/payouts', PAYOUT),
      await sandbox.ask('GET', `/v1/public/payouts/${body.payout.id}`),
      await sandbox.ask('GET', `/v1/public/payouts/${other.payout.id}`),
    ]
    const isShared = field === 'currency' || field === 'payment_method'
    expect(sent.map(({ status }) => status)).toEqual([503, 503, isShared ? 503 : 200])
  })

  it('matches the amount that a refund asks for, or what is left', async () => {
    const sandbox = await openSandbox()
    const id = await sandbox.pay(ORDER)
    await sandbox.post(`/payments/${id}/act`, { action: 'pay' })
    await add(sandbox, 'api', 'status:503', { operation: 'refund', amount: 300 })
    const refund = async (body?: object) => (await sandbox.ask('POST', `/v1/public/payments/${id}/refund`, body)).status
    expect([await refund({ amount: 300 }), await refund({ amount: 12_000 }), await refund()]).toEqual([503, 201, 503])
  })

  it('matches the amount that pending refunds leave, if a refund has no amount', async () => {
    const sandbox = await openSandbox()
    const id = await sandbox.pay(ORDER)
    await sandbox.post(`/payments/${id}/act`, { action: 'pay' })
    await add(sandbox, 'api', 'status:503', { operation: 'refund', amount: 300 })
    await sandbox.post('/rules', { plan: 'pending', match: { operation: 'refund' } })
    const refund = async (body?: object) => (await sandbox.ask('POST', `/v1/public/payments/${id}/refund`, body)).status
    expect([await refund({ amount: 12_000 }), await refund()]).toEqual([201, 503])
  })

  it('matches the status that the payment has', async () => {
    const sandbox = await openSandbox()
    const id = await sandbox.pay(ORDER)
    await add(sandbox, 'api', 'status:503', { status: 'succeeded' })
    const read = async () => (await sandbox.ask('GET', `/v1/public/payments/${id}`)).status
    expect(await read()).toBe(200)
    await sandbox.post(`/payments/${id}/act`, { action: 'pay' })
    expect(await read()).toBe(503)
  })

  it('does not reveal to a shop that another shop has the order', async () => {
    const sandbox = await openSandbox()
    const id = await sandbox.pay(ORDER)
    const { body: shop } = await sandbox.post('/shops')
    await add(sandbox, 'api', 'status:503', { order_id: 'A-1' })
    expect((await sandbox.ask('GET', `/v1/public/payments/${id}`, undefined, shop.api_key)).status).toBe(404)
    expect(await matched(sandbox)).toBe(0)
  })

  it('uses method for HTTP, and refuses a payment method in it with a hint', async () => {
    const sandbox = await openSandbox()
    const id = await sandbox.pay(ORDER)
    await add(sandbox, 'api', 'status:503', { method: 'GET', order_id: 'A-1' })
    expect((await sandbox.ask('GET', `/v1/public/payments/${id}`)).status).toBe(503)
    expect((await sandbox.ask('POST', `/v1/public/payments/${id}/cancel`)).status).toBe(200)
    for (const target of ['api', 'webhook']) {
      const refused = await sandbox.post('/faults', {
        target,
        fault: target === 'api' ? 'cut' : 'drop',
        match: { method: 'sbp' },
      })
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining('In faults, method is the HTTP method. Use payment_method instead.'),
      ])
    }
  })
})

describe('a fault of webhooks', () => {
  const dropped = async (sandbox: Sandbox) => {
    await sandbox.idle()
    const { body } = await sandbox.get('/deliveries')
    return new Set(
      (body.items as { object_id: string; attempts: { fault?: string }[] }[])
        .filter(({ attempts }) => attempts.some(({ fault }) => fault === 'drop'))
        .map(({ object_id }) => object_id),
    )
  }

  it.each([...ORDER_FIELDS, ['status', 'succeeded'], ['operation', 'payment']] as const)(
    'matches webhooks of the payment whose %s is %s, and of no other',
    async (field, value) => {
      const sandbox = await openSandbox()
      await sandbox.hooks()
      await add(sandbox, 'webhook', 'drop', { [field]: value, event: 'payment.*' })
      const [own, other] = [await sandbox.pay(ORDER), await sandbox.pay(OTHER)]
      await sandbox.post(`/payments/${own}/act`, { action: 'pay' })
      await sandbox.post(`/payments/${other}/act`, { action: 'decline' })
      const matchedIds = await dropped(sandbox)
      expect([matchedIds.has(own), matchedIds.has(other)]).toEqual([true, field === 'operation'])
    },
  )

  it.each([...PAYOUT_FIELDS, ['status', 'succeeded'], ['operation', 'payout']] as const)(
    'matches webhooks of the payout whose %s is %s',
    async (field, value) => {
      const sandbox = await openSandbox()
      await sandbox.hooks()
      await add(sandbox, 'webhook', 'drop', { [field]: value })
      const { body } = await sandbox.ask('POST', '/v1/public/payouts', PAYOUT)
      expect(await dropped(sandbox)).toEqual(new Set([body.payout.id]))
    },
  )

  it('matches the status in the webhook, even if the payment has changed since', async () => {
    const sandbox = await openSandbox()
    await sandbox.hooks()
    await add(sandbox, 'webhook', 'drop', { status: 'succeeded', order_id: 'A-1' })
    const id = await sandbox.pay(ORDER)
    await sandbox.post(`/payments/${id}/act`, { action: 'pay' })
    await sandbox.ask('POST', `/v1/public/payments/${id}/refund`)
    await sandbox.idle()
    const { body } = await sandbox.get('/deliveries')
    const faults = (body.items as { event: string; attempts: { fault?: string }[] }[]).map(
      ({ event, attempts }) => `${event} ${attempts[0]?.fault ?? '-'}`,
    )
    expect(faults.sort()).toEqual(['payment.refunded -', 'payment.succeeded drop'])
  })

  it('delays only the response of its order with before_response', async () => {
    const sandbox = await openSandbox()
    const hook = await sandbox.hooks()
    await add(sandbox, 'webhook', 'before_response', { order_id: 'A-1', 'metadata.cart': '77', status: 'failed' })
    const early = async (body: object) => {
      const before = hook.received.length
      await sandbox.call('POST', '/v1/public/payments', body, {
        authorization: `Bearer ${sandbox.sandbox.defaultShop().api_key}`,
        'x-psp-simulate': 'refused:do_not_honor',
      })
      return hook.received.length - before
    }
    expect(await early(ORDER)).toBe(1)
    await sandbox.idle()
    const { body } = await sandbox.get('/faults')
    expect(body.items[0]).toMatchObject({ applied: 1 })
  })
})

describe('faults of streams and redirects', () => {
  it('match the order of a message or a redirect', async () => {
    const sandbox = await openSandbox({ settings: { http_return_url: true } })
    const match = { order_id: 'A-1', 'metadata.cart': '77' }
    await add(sandbox, 'redirect', 'drop', { ...match, status: 'succeeded' })
    const redirect = async (body: object) => {
      const id = await sandbox.pay({ ...body, return_url: 'https://shop.example/' })
      await sandbox.post(`/payments/${id}/act`, { action: 'pay' })
      const response = await sandbox.sandbox.fetch(
        new Request(`http://127.0.0.1:7770/pay/${id}/return`, { redirect: 'manual' }),
      )
      return response.headers.get('location')
    }
    expect([await redirect(ORDER), await redirect(OTHER)]).toEqual([
      expect.not.stringContaining('shop.example'),
      expect.stringContaining('shop.example'),
    ])
    await sandbox.remove('/faults')
    // A fault of the stream applies only if a client reads the stream.
    const stream = await sandbox.sandbox.fetch(
      new Request('http://127.0.0.1:7770/v1/public/events', {
        headers: { authorization: `Bearer ${sandbox.sandbox.defaultShop().api_key}` },
      }),
    )
    await add(sandbox, 'stream', 'drop', { ...match, payment_method: 'sbp' })
    for (const body of [ORDER, OTHER]) await sandbox.pay(body)
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('B-2')) text += (await reader?.read())?.value ?? ''
    expect([text.includes('A-1'), await matched(sandbox)]).toEqual([false, 1])
    await reader?.cancel()
  })
})

describe('a rule', () => {
  it.each(ORDER_FIELDS)('matches the payment whose %s is %s, and its refund', async (field, value) => {
    const sandbox = await openSandbox()
    await sandbox.post('/rules', { plan: 'pending', match: { [field]: value, operation: 'payment' } })
    await sandbox.post('/rules', { plan: 'failed', match: { [field]: value, operation: 'refund' } })
    const create = async (body: object) => (await sandbox.ask('POST', '/v1/public/payments', body)).body
    const own = await create(ORDER)
    expect([own.simulator, (await create(OTHER)).simulator]).toEqual(['pending', 'succeeded'])
    await sandbox.post(`/payments/${own.payment.id}/act`, { action: 'pay' })
    const asked = field === 'amount' ? undefined : { amount: 100 }
    const { body } = await sandbox.ask('POST', `/v1/public/payments/${own.payment.id}/refund`, asked)
    expect(body.status).toBe('failed')
  })

  it.each(PAYOUT_FIELDS)('matches the payout whose %s is %s', async (field, value) => {
    const sandbox = await openSandbox()
    await sandbox.post('/rules', { plan: 'pending', match: { [field]: value } })
    expect((await sandbox.ask('POST', '/v1/public/payouts', PAYOUT)).body.simulator).toBe('pending')
  })

  it.each<[match: object, message: string]>([
    [{ status: 'pending' }, 'status: unknown field.'],
    [{ ordr_id: 'A-1' }, 'ordr_id: unknown field. The fields are operation, amount, method, payment_method'],
    [{ metadata: 'x' }, 'metadata: unknown field.'],
    [{ 'metadata.': 'x' }, 'metadata.: unknown field.'],
    [{ payment_method: 'bitcoin' }, 'payment_method: "bitcoin" is not one of its values.'],
  ])('is refused with the match %j', async (match, message) => {
    const { post } = await openSandbox()
    const { status, body } = await post('/rules', { plan: 'failed', match })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
    expect(body.error.message.includes('metadata.<name>')).toBe(message.includes('unknown field'))
  })
})
