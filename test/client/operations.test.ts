// Each operation of the client: the request that it sends, and the fields that its response must have.
import { expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { UnexpectedResponseError } from '../../src/client/errors.ts'
import type { FetchInit } from '../../src/client/fetch-like.ts'

type Call = (client: Client) => Promise<unknown>
type Operation = readonly [
  request: string,
  call: Call,
  /** The least response, if the client requires one. */
  response?: Readonly<Record<string, unknown>> | undefined,
  body?: unknown,
]

const object = { id: '', status: '' }
const page = { items: [], next_cursor: null }
const clock = { mode: '', now: '' }
const delivery = { id: '', attempts: [] }

const PUBLIC: readonly Operation[] = [
  ['POST payments', (c) => c.payments.create({ amount: 1 }), { payment: {}, payment_url: '' }, { amount: 1 }],
  ['GET payments/a%2Fb', (c) => c.payments.get('a/b'), object],
  ['POST payments/a/cancel', (c) => c.payments.cancel('a'), { status: '' }],
  ['POST payments/a/refund', (c) => c.payments.refund('a'), object, {}],
  ['POST payments/a/refund', (c) => c.payments.refund('a', { amount: 2 }), object, { amount: 2 }],
  [
    'POST payouts',
    (c) => c.payouts.create({ amount: 1, phone: '+7', bank_id: 'b' }),
    { payout: {} },
    { amount: 1, phone: '+7', bank_id: 'b' },
  ],
  ['GET payouts/a', (c) => c.payouts.get('a'), object],
  ['GET banks/sbp', (c) => c.banks(), { items: [] }],
]

const CONTROL: readonly Operation[] = [
  ['GET health', (c) => c.control.health(), { status: '' }],
  ['GET openapi.json', (c) => c.control.openapi('control')],
  ['GET shops', (c) => c.control.shops.list(), page],
  ['GET shops?limit=5&cursor=c', (c) => c.control.shops.list({ limit: 5, cursor: 'c' }), page],
  ['GET shops/a', (c) => c.control.shops.get('a'), { id: '' }],
  ['POST shops', (c) => c.control.shops.create({ name: 'n' }), { shop_id: '', api_key: '' }, { name: 'n' }],
  ['PATCH shops/a', (c) => c.control.shops.update('a', { name: 'n' }), { id: '' }, { name: 'n' }],
  ['POST shops/a/rotate-signing-secret', (c) => c.control.shops.rotateSigningSecret('a'), { signing_secret: '' }],
  ['POST shops/a/rotate-webhook-secret', (c) => c.control.shops.rotateWebhookSecret('a'), { webhook_secret: '' }],
  ['GET shops/a/keys', (c) => c.control.keys.list('a'), page],
  ['POST shops/a/keys', (c) => c.control.keys.create('a', { mode: 'test' }), { id: '', api_key: '' }, { mode: 'test' }],
  ['DELETE keys/a', (c) => c.control.keys.revoke('a')],
  ['GET shops/a/endpoints', (c) => c.control.endpoints.list('a'), page],
  ['POST shops/a/endpoints', (c) => c.control.endpoints.create('a', { url: 'u' }), { id: '' }, { url: 'u' }],
  ['PATCH endpoints/a', (c) => c.control.endpoints.update('a', { active: false }), { id: '' }, { active: false }],
  ['DELETE endpoints/a', (c) => c.control.endpoints.remove('a')],
  ['POST endpoints/a/rotate-secret', (c) => c.control.endpoints.rotateSecret('a'), { id: '' }],
  ['POST endpoints/a/test', (c) => c.control.endpoints.test('a'), { id: '' }],
  ['GET settings', (c) => c.control.settings.get()],
  ['GET settings/origins', (c) => c.control.settings.origins()],
  ['PATCH settings', (c) => c.control.settings.update({ a: 1 }), undefined, { a: 1 }],
  ['GET payments?status=paid', (c) => c.control.lists.payments({ status: 'paid' }), page],
  ['GET payouts', (c) => c.control.lists.payouts(), page],
  ['GET refunds', (c) => c.control.lists.refunds(), page],
  ['GET events?event=payment.*', (c) => c.control.events.list({ event: 'payment.*', since: undefined }), page],
  ['GET events/a', (c) => c.control.events.get('a'), { id: '', event: '' }],
  ['POST events/a/replay', (c) => c.control.events.replay('a'), { items: [] }, {}],
  ['GET deliveries', (c) => c.control.deliveries.list(), page],
  ['GET deliveries/a', (c) => c.control.deliveries.get('a'), delivery],
  ['POST deliveries/a/retry', (c) => c.control.deliveries.retry('a'), delivery],
  ['GET requests?path=x%26y', (c) => c.control.requests({ path: 'x&y' }), page],
  ['POST payments/a/act', (c) => c.control.act.payment('a', { action: 'expire' }), object, { action: 'expire' }],
  [
    'POST payouts/a/act',
    (c) => c.control.act.payout('a', { action: 'settle', status: 'succeeded' }),
    object,
    { action: 'settle', status: 'succeeded' },
  ],
  [
    'POST refunds/a/act',
    (c) => c.control.act.refund('a', { action: 'settle', status: 'succeeded' }),
    object,
    { action: 'settle', status: 'succeeded' },
  ],
  ['GET rules', (c) => c.control.rules.list(), page],
  ['POST rules', (c) => c.control.rules.add({ plan: 'failed' }), { id: '' }, { plan: 'failed' }],
  ['DELETE rules/a', (c) => c.control.rules.remove('a')],
  ['DELETE rules', (c) => c.control.rules.clear()],
  ['GET faults', (c) => c.control.faults.list(), page],
  [
    'POST faults',
    (c) => c.control.faults.add({ target: 'webhook', fault: 'drop' }),
    { id: '' },
    { target: 'webhook', fault: 'drop' },
  ],
  ['DELETE faults/a', (c) => c.control.faults.remove('a')],
  ['DELETE faults', (c) => c.control.faults.clear()],
  ['GET clock', (c) => c.control.clock.get(), clock],
  ['POST clock', (c) => c.control.clock.set({ mode: 'real' }), clock, { mode: 'real' }],
  ['GET clock/idle', (c) => c.control.clock.idle(), clock],
  ['POST clock/advance', (c) => c.control.clock.advance({ by: '1m' }), { now: '' }, { by: '1m' }],
  ['POST reset', (c) => c.control.store.reset()],
  ['POST reset', (c) => c.control.store.reset({ all: true }), undefined, { all: true }],
  ['GET snapshots', (c) => c.control.store.snapshots(), { items: [] }],
  ['PUT snapshots/a', (c) => c.control.store.snapshot('a')],
  ['DELETE snapshots/a', (c) => c.control.store.removeSnapshot('a')],
  ['POST snapshots/a/restore', (c) => c.control.store.restore('a')],
  ['GET export', (c) => c.control.store.export()],
  ['GET export?tables=a%2Cb', (c) => c.control.store.export(['a', 'b'])],
  ['PUT import', (c) => c.control.store.import({ format: 1 }), undefined, { format: 1 }],
  ['GET counts', (c) => c.control.store.counts()],
  ['POST trigger', (c) => c.control.trigger({ event: 'e' }), undefined, { event: 'e' }],
  ['POST listeners', (c) => c.control.listeners.open({} as never), { id: '' }, {}],
  ['POST listeners/a/results', (c) => c.control.listeners.report('a', {} as never), undefined, {}],
  ['DELETE listeners/a', (c) => c.control.listeners.close('a')],
]

const operation = (prefix: string, [request, call, response = {}, body]: Operation) => ({
  prefix,
  request,
  call,
  response,
  body,
})
const OPERATIONS = [
  ...PUBLIC.map((row) => operation('/v1/public/', row)),
  ...CONTROL.map((row) => operation('/_psp/', row)),
  operation('/', ['GET openapi.json', (c) => c.control.openapi('public')]),
]

function clientOf(reply: (url: string) => Response) {
  const sent: { url: string; init: FetchInit }[] = []
  const client = createClient({
    baseUrl: 'http://psp.test',
    apiKey: 'sk_test_x',
    controlToken: 'token',
    async fetch(url, init) {
      sent.push({ url, init })
      return reply(url)
    },
  })
  return { client, sent }
}

test.each(OPERATIONS)('the operation $request under $prefix sends one request', async (operation) => {
  const { prefix, request, call, response, body } = operation
  const { client, sent } = clientOf(() => Response.json(response))
  expect(await call(client)).toEqual(response)
  const [method = '', path] = request.split(' ')
  const isJson = body !== undefined
  expect(sent).toEqual([
    {
      url: `http://psp.test${prefix}${path}`,
      init: {
        method,
        redirect: 'manual',
        headers: {
          Accept: 'application/json',
          ...(isJson ? { 'Content-Type': 'application/json' } : {}),
          Authorization: prefix === '/v1/public/' ? 'Bearer sk_test_x' : 'Bearer token',
        },
        ...(isJson ? { body: JSON.stringify(body) } : {}),
      },
    },
  ])
})

test.each(OPERATIONS)('the response to $request under $prefix needs all its fields', async ({ call, response }) => {
  for (const value of [1, [], null]) {
    await expect(call(clientOf(() => Response.json(value)).client)).rejects.toThrow(UnexpectedResponseError)
  }
  for (const field of Object.keys(response).filter((name) => name !== 'next_cursor')) {
    for (const other of [undefined, null, 7]) {
      const { client } = clientOf(() => Response.json({ ...response, [field]: other }))
      await expect(call(client)).rejects.toThrow(UnexpectedResponseError)
    }
  }
})

test('an empty response is valid for a DELETE only', async () => {
  for (const { prefix, request, call } of OPERATIONS) {
    const { client } = clientOf(() => new Response(null, { status: 204 }))
    if (request.startsWith('DELETE')) expect(await call(client)).toBeNull()
    else await expect(call(client), `${prefix}${request}`).rejects.toThrow(UnexpectedResponseError)
  }
})

test.each([
  ['/v1/public/events', { Accept: 'text/event-stream' }, (c: Client) => c.events()],
  ['/_psp/stream', { Accept: 'text/event-stream' }, (c: Client) => c.control.stream()],
  [
    '/_psp/stream',
    { Accept: 'text/event-stream', 'Last-Event-ID': '7' },
    (c: Client) => c.control.stream({ lastEventId: '7' }),
  ],
  [
    '/_psp/stream?interval=200ms',
    { Accept: 'text/event-stream' },
    (c: Client) => c.control.stream({ interval: '200ms' }),
  ],
  ['/_psp/listeners/a/stream', { Accept: 'text/event-stream' }, (c: Client) => c.control.listeners.stream('a')],
  [
    '/_psp/listeners/a/stream?timeout=15s',
    { Accept: 'text/event-stream' },
    (c: Client) => c.control.listeners.stream('a', { timeout: '15s' }),
  ],
])('the stream %s is requested with the headers %j and returned unchanged', async (path, headers, call) => {
  const { client, sent } = clientOf(() => new Response('odd', { status: 500 }))
  const reply = await call(client)
  expect([reply.status, await reply.text()]).toEqual([500, 'odd'])
  expect(sent).toEqual([
    {
      url: `http://psp.test${path}`,
      init: {
        method: 'GET',
        redirect: 'manual',
        headers: { ...headers, Authorization: path.startsWith('/v1') ? 'Bearer sk_test_x' : 'Bearer token' },
      },
    },
  ])
})

test('a signal is passed to the operations that accept one', async () => {
  const { client, sent } = clientOf(() => Response.json({ ...clock, ...object, payment: {}, payment_url: '' }))
  const { signal } = new AbortController()
  await client.events(signal)
  await client.payments.create({ amount: 1 }, { signal })
  await client.payments.refund('a', {}, { signal })
  await client.control.health(signal)
  await client.control.clock.idle(signal)
  await client.control.stream({ signal })
  await client.control.listeners.stream('a', { signal })
  expect(sent.map(({ init }) => init.signal === signal)).toEqual(Array(7).fill(true))
})

test('the options of a payment, refund and payout become headers', async () => {
  const { client, sent } = clientOf(() => Response.json({ ...object, payment: {}, payment_url: '', payout: {} }))
  const options = { idempotencyKey: 'ключ', outcome: 'failed' } as const
  await client.payments.create({ amount: 1 }, options)
  await client.payments.refund('a', {}, options)
  await client.payouts.create({} as never, options)
  for (const { init } of sent) {
    expect(init.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: 'Bearer sk_test_x',
      'Idempotency-Key': Buffer.from('ключ').toString('latin1'),
      'X-PSP-Simulate': 'failed',
    })
  }
})

test.each([
  ['X-PSP-Simulate: unknown outcome', 'outcome: unknown outcome'],
  ['amount: X-PSP-Simulate', 'amount: X-PSP-Simulate'],
])('the error %j is reported as %j, because the caller set an option', async (message, expected) => {
  const headers = { 'Retry-After': '2' }
  const { client } = clientOf(() =>
    Response.json({ error: { code: 'bad_request', message } }, { status: 400, headers }),
  )
  await expect(client.payments.create({ amount: 1 })).rejects.toMatchObject({
    status: 400,
    code: 'bad_request',
    message: expected,
    retryAfter: 2,
    hint: 'Correct it and try again.',
  })
})

test('health resolves with the response of a failing server', async () => {
  const { client } = clientOf(() => Response.json({ status: 'failing' }, { status: 503 }))
  expect(await client.control.health()).toEqual({ status: 'failing' })
  await expect(client.control.clock.get()).rejects.toThrow(UnexpectedResponseError)
})

test('a list requests more pages until it has enough rows', async () => {
  const row = (id: number) => ({ id })
  const pages: Record<string, unknown> = {
    'limit=5&status=x': { items: [row(1), row(2)], next_cursor: 'c2' },
    'limit=3&status=x&cursor=c2': { items: [row(3)], next_cursor: 'c3' },
    'limit=2&status=x&cursor=c3': { items: [row(4), row(5)], next_cursor: 'c5' },
    '': { items: Array.from({ length: 99 }, (_, i) => row(i)), next_cursor: 'd' },
    'cursor=d&limit=1': { items: [row(99)], next_cursor: null },
    'limit=9': { items: [row(1)], next_cursor: 'same' },
    'limit=8&cursor=same': { items: [row(2)], next_cursor: 'same' },
  }
  const { client, sent } = clientOf((url) => Response.json(pages[url.split('?')[1] ?? '']))
  const idsOf = async (list: ReturnType<Client['control']['lists']['payments']>) => {
    const { items, next_cursor } = await list
    return [items.map(({ id }) => id), next_cursor]
  }
  expect(await idsOf(client.control.lists.payments({ limit: 5, status: 'x' }))).toEqual([[1, 2, 3, 4, 5], 'c5'])
  expect(await idsOf(client.control.lists.payments())).toEqual([[...Array(100).keys()], null])
  // A server that repeats its cursor must not cause endless requests.
  expect(await idsOf(client.control.lists.payments({ limit: 9 }))).toEqual([[1, 2], 'same'])
  expect(sent).toHaveLength(7)
})
