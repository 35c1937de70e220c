// `X-PSP-Dry-Run: true` on both APIs: the response of the real request, and no change.
import { describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import { type CallResponse, openSandbox } from './fixtures.ts'

const DRY = { 'X-PSP-Dry-Run': 'true' }
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const IMPORTED = {
  id: `imp_${'a'.repeat(24)}`,
  received_at: '2026-05-06T12:00:00Z',
  source: 'session.har entry 1',
  signature: 'missing',
  body: '{"id":"evt_1","event":"payment.succeeded","data":{}}',
}

type OpenSandbox = Awaited<ReturnType<typeof filled>>

/** A seeded sandbox with one object of each kind. */
async function filled() {
  const made = await openSandbox({ randomSeed: 7 })
  const { shop } = made
  const hook = await made.hooks()
  const paid = await made.pay()
  await made.post(`/payments/${paid}/act`, { action: 'pay' })
  const open = await made.pay({ method: 'sbp' })
  const payout = { amount: 5000, phone: '+79161234567', bank_id: '100000000111' }
  const plan = { 'x-psp-simulate': 'pending', authorization: `Bearer ${made.sandbox.defaultShop().api_key}` }
  const paidOut = (await made.call('POST', '/v1/public/payouts', payout, plan)).body.payout.id
  const refund = (await made.call('POST', `/v1/public/payments/${paid}/refund`, { amount: 10 }, plan)).body.id
  const key = (await made.post(`/shops/${shop}/keys`)).body.id
  const rule = (await made.post('/rules', { plan: 'failed', match: { order_id: 'none' } })).body.id
  const fault = (await made.post('/faults', { target: 'api', fault: 'status:503', match: { path: '/none' } })).body.id
  const listener = (await made.post('/listeners', { id: 'mine', url: 'http://127.0.0.1:9/' })).body.id
  await made.put('/snapshots/before')
  await made.sandbox.timeline.idle()
  const event = (await made.get('/events')).body.items[0].id
  const delivery = (await made.get('/deliveries')).body.items[0].id
  const endpoint = hook.endpoint.id
  return { ...made, ids: { paid, open, paidOut, refund, key, rule, fault, listener, event, delivery, endpoint, shop } }
}

/** Everything that a dry run must leave alone. */
async function observed({ get, sandbox }: OpenSandbox) {
  const [state, log, snapshots] = [await get('/export'), await get('/requests'), await get('/snapshots')]
  const { clock, nextDue } = sandbox.timeline
  return { tables: state.body.tables, log: log.body, snapshots: snapshots.body, mode: clock().mode, due: nextDue() }
}

type Ids = OpenSandbox['ids']
type Sent = readonly [path: (ids: Ids) => string, body?: (ids: Ids) => unknown]

const payout = { amount: 5000, phone: '+79161234567', bank_id: '100000000111' }

/** A valid request of each operation. A result is refused even so, because no attempt waits for one here. */
const ACCEPTED: { readonly [operation: string]: Sent } = {
  createPayment: [() => '/v1/public/payments', () => ({ amount: 100 })],
  cancelPayment: [({ open }) => `/v1/public/payments/${open}/cancel`],
  refundPayment: [({ paid }) => `/v1/public/payments/${paid}/refund`, () => ({ amount: 20 })],
  createPayout: [() => '/v1/public/payouts', () => payout],
  changeSettings: [() => '/_psp/settings', () => ({ rate_limit: 7 })],
  reset: [() => '/_psp/reset', () => ({ all: true })],
  saveSnapshot: [() => '/_psp/snapshots/new'],
  deleteSnapshot: [() => '/_psp/snapshots/before'],
  restoreSnapshot: [() => '/_psp/snapshots/before/restore'],
  importState: [() => '/_psp/import', () => undefined],
  setClock: [() => '/_psp/clock', () => ({ mode: 'scaled', speed: 60 })],
  advanceClock: [() => '/_psp/clock/advance', () => ({ by: '20m' })],
  createShop: [() => '/_psp/shops', () => ({ name: 'New' })],
  updateShop: [({ shop }) => `/_psp/shops/${shop}`, () => ({ name: 'Other', rate_limit: 3 })],
  rotateSigningSecret: [({ shop }) => `/_psp/shops/${shop}/rotate-signing-secret`],
  rotateWebhookSecret: [({ shop }) => `/_psp/shops/${shop}/rotate-webhook-secret`],
  createKey: [({ shop }) => `/_psp/shops/${shop}/keys`],
  revokeKey: [({ key }) => `/_psp/keys/${key}`],
  waitForEvent: [({ shop }) => `/_psp/shops/${shop}/wait`, () => ({ event: 'payment.expired', timeout: '1ms' })],
  createEndpoint: [({ shop }) => `/_psp/shops/${shop}/endpoints`, () => ({ url: 'http://127.0.0.1:9/' })],
  updateEndpoint: [({ endpoint }) => `/_psp/endpoints/${endpoint}`, () => ({ active: false })],
  deleteEndpoint: [({ endpoint }) => `/_psp/endpoints/${endpoint}`],
  rotateEndpointSecret: [({ endpoint }) => `/_psp/endpoints/${endpoint}/rotate-secret`],
  testEndpoint: [({ endpoint }) => `/_psp/endpoints/${endpoint}/test`],
  actOnPayment: [({ open }) => `/_psp/payments/${open}/act`, () => ({ action: 'pay' })],
  settlePayout: [({ paidOut }) => `/_psp/payouts/${paidOut}/act`, () => ({ action: 'settle', status: 'succeeded' })],
  settleRefund: [({ refund }) => `/_psp/refunds/${refund}/act`, () => ({ action: 'settle', status: 'failed' })],
  replayEvent: [({ event }) => `/_psp/events/${event}/replay`],
  trigger: [() => '/_psp/trigger', () => ({ event: 'payment.refunded' })],
  retryDelivery: [({ delivery }) => `/_psp/deliveries/${delivery}/retry`],
  importEvents: [() => '/_psp/imported-events', () => ({ events: [IMPORTED] })],
  deleteImportedEvents: [() => '/_psp/imported-events'],
  createRule: [() => '/_psp/rules', () => ({ plan: 'failed' })],
  deleteRules: [() => '/_psp/rules'],
  deleteRule: [({ rule }) => `/_psp/rules/${rule}`],
  createFault: [() => '/_psp/faults', () => ({ target: 'api', fault: 'status:503' })],
  deleteFaults: [() => '/_psp/faults'],
  deleteFault: [({ fault }) => `/_psp/faults/${fault}`],
  openListener: [() => '/_psp/listeners', () => ({ url: 'http://127.0.0.1:9/other' })],
  reportResult: [
    ({ listener }) => `/_psp/listeners/${listener}/results`,
    (ids) => ({ delivery_id: ids.delivery, ms: 1 }),
  ],
  closeListener: [({ listener }) => `/_psp/listeners/${listener}`],
}

/** A request of each operation that the server refuses, by operation. The others cannot be refused for their content. */
const REFUSED: { readonly [operation: string]: Sent } = {
  createPayment: [() => '/v1/public/payments', () => ({ amount: -1 })],
  cancelPayment: [({ paid }) => `/v1/public/payments/${paid}/cancel`],
  refundPayment: [({ paid }) => `/v1/public/payments/${paid}/refund`, () => ({ amount: 1_000_000 })],
  createPayout: [() => '/v1/public/payouts', () => ({ ...payout, phone: '1' })],
  changeSettings: [() => '/_psp/settings', () => ({ rate_limit: 'many' })],
  reset: [() => '/_psp/reset', () => ({ all: 'yes' })],
  saveSnapshot: [() => '/_psp/snapshots/NEW'],
  deleteSnapshot: [() => '/_psp/snapshots/unknown'],
  restoreSnapshot: [() => '/_psp/snapshots/unknown/restore'],
  importState: [() => '/_psp/import', () => ({ format: 'psp-sandbox/1' })],
  setClock: [() => '/_psp/clock', () => ({ mode: 'frozen', now: '2020-01-01T00:00:00Z' })],
  advanceClock: [() => '/_psp/clock/advance', () => ({ to: '2020-01-01T00:00:00Z' })],
  createShop: [() => '/_psp/shops', () => ({ merchant_id: UNKNOWN })],
  updateShop: [() => `/_psp/shops/${UNKNOWN}`, () => ({ name: 'Other' })],
  rotateSigningSecret: [() => `/_psp/shops/${UNKNOWN}/rotate-signing-secret`],
  rotateWebhookSecret: [() => `/_psp/shops/${UNKNOWN}/rotate-webhook-secret`],
  createKey: [() => `/_psp/shops/${UNKNOWN}/keys`],
  revokeKey: [() => '/_psp/keys/key_unknown'],
  waitForEvent: [() => `/_psp/shops/${UNKNOWN}/wait`, () => ({ event: 'payment.expired', timeout: '1ms' })],
  createEndpoint: [() => `/_psp/shops/${UNKNOWN}/endpoints`, () => ({ url: 'http://127.0.0.1:9/' })],
  updateEndpoint: [() => '/_psp/endpoints/we_unknown', () => ({ active: false })],
  deleteEndpoint: [() => '/_psp/endpoints/we_unknown'],
  rotateEndpointSecret: [() => '/_psp/endpoints/we_unknown/rotate-secret'],
  testEndpoint: [() => '/_psp/endpoints/we_unknown/test'],
  actOnPayment: [({ paid }) => `/_psp/payments/${paid}/act`, () => ({ action: 'expire' })],
  settlePayout: [() => `/_psp/payouts/${UNKNOWN}/act`, () => ({ action: 'settle', status: 'succeeded' })],
  settleRefund: [() => `/_psp/refunds/${UNKNOWN}/act`, () => ({ action: 'settle', status: 'failed' })],
  replayEvent: [() => '/_psp/events/evt_unknown/replay'],
  trigger: [() => '/_psp/trigger', () => ({ event: 'payment.refunded', set: { refund_amount: 1_000_000 } })],
  retryDelivery: [() => '/_psp/deliveries/dlv_unknown/retry'],
  importEvents: [() => '/_psp/imported-events', () => ({ events: [{ id: 'x' }] })],
  createRule: [() => '/_psp/rules', () => ({ plan: 'unknown' })],
  deleteRule: [() => '/_psp/rules/rul_unknown'],
  createFault: [() => '/_psp/faults', () => ({ target: 'api', fault: 'unknown' })],
  deleteFault: [() => '/_psp/faults/flt_unknown'],
  openListener: [() => '/_psp/listeners', () => ({ url: '' })],
  reportResult: [() => '/_psp/listeners/unknown/results', () => ({ delivery_id: 'dlv_unknown', ms: 1 })],
  closeListener: [() => '/_psp/listeners/unknown'],
}

const METHODS: { readonly [operation: string]: string } = Object.fromEntries([
  ...Object.entries(PUBLIC_OPERATIONS).map(([name, { method }]) => [name, method]),
  ...CONTROL_ROUTES.map(({ name, method }) => [name, method]),
])

const WRITES = Object.entries(METHODS)
  .filter(([, method]) => method !== 'GET')
  .map(([name]) => name)

async function send(
  of: OpenSandbox,
  operation: string,
  [path, body]: Sent,
  headers: Record<string, string>,
): Promise<CallResponse> {
  const state = operation === 'importState' && body?.(of.ids) === undefined
  const sent = state ? (await of.get('/export')).body : body?.(of.ids)
  const at = path(of.ids)
  const key = at.startsWith('/v1/') ? { authorization: `Bearer ${of.sandbox.defaultShop().api_key}` } : {}
  return await of.call(METHODS[operation] as string, at, sent, { ...key, ...headers })
}

test('every operation that writes has an accepted request in the table of this test', () => {
  expect(WRITES.filter((name) => ACCEPTED[name] === undefined)).toEqual([])
})

describe('a dry run that the server accepts', () => {
  let next: Promise<string> | undefined
  /** Returns the id of the next payment of a seeded sandbox. */
  const nextId = () => {
    next ??= filled().then((sandbox) => sandbox.pay())
    return next
  }

  test.each(WRITES)(
    '%s changes neither the state nor the next id, and has the status of the real request',
    async (operation) => {
      const sandbox = await filled()
      const before = await observed(sandbox)
      const dry = await send(sandbox, operation, ACCEPTED[operation] as Sent, DRY)
      expect(dry.headers.get('X-PSP-Dry-Run')).toBe('true')
      expect(await observed(sandbox)).toEqual(before)
      expect(await sandbox.pay()).toBe(await nextId())
      const real = await send(sandbox, operation, ACCEPTED[operation] as Sent, {})
      expect(real.headers.get('X-PSP-Dry-Run')).toBe(null)
      expect([dry.status, Object.keys(real.body ?? {}).filter((name) => !(name in dry.body))]).toEqual([
        real.status,
        [],
      ])
    },
  )
})

describe('a dry run that the server refuses', () => {
  test.each(Object.keys(REFUSED))('%s has the code of the real refusal and changes nothing', async (operation) => {
    const sandbox = await filled()
    const before = await observed(sandbox)
    const dry = await send(sandbox, operation, REFUSED[operation] as Sent, DRY)
    expect(await observed(sandbox)).toEqual(before)
    const real = await send(sandbox, operation, REFUSED[operation] as Sent, {})
    expect([dry.status, dry.body.error]).toEqual([real.status, real.body.error])
    expect([real.status >= 400, dry.headers.get('X-PSP-Dry-Run')]).toEqual([true, 'true'])
  })
})

describe('a dry run consumes nothing', () => {
  const create = (of: Pick<OpenSandbox, 'call' | 'sandbox'>, headers: Record<string, string>) =>
    of.call(
      'POST',
      '/v1/public/payments',
      { amount: 100 },
      {
        authorization: `Bearer ${of.sandbox.defaultShop().api_key}`,
        ...headers,
      },
    )

  test('an idempotency key is new after a dry run, and replays after a real request', async () => {
    const sandbox = await filled()
    const key = { 'Idempotency-Key': 'k-1' }
    expect((await create(sandbox, { ...key, ...DRY })).status).toBe(201)
    expect((await create(sandbox, key)).status).toBe(201)
    expect(await create(sandbox, { ...key, ...DRY })).toMatchObject({ status: 200, body: { idempotent: true } })
  })

  test('a rule that applies once still applies after a dry run', async () => {
    const sandbox = await filled()
    await sandbox.post('/rules', { plan: 'error:aml_blocked', times: 1 })
    const statuses = [await create(sandbox, DRY), await create(sandbox, DRY), await create(sandbox, {})]
    expect(statuses.map(({ body }) => body.error?.code)).toEqual(['aml_blocked', 'aml_blocked', 'aml_blocked'])
    expect((await create(sandbox, {})).status).toBe(201)
  })

  test('a fault that applies once still applies after a dry run', async () => {
    const sandbox = await filled()
    await sandbox.post('/faults', { target: 'api', fault: 'status:503', times: 1 })
    const replies = [await create(sandbox, DRY), await create(sandbox, DRY), await create(sandbox, {})]
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503])
    expect((await create(sandbox, {})).status).toBe(201)
  })

  test('a dry run takes no token of the rate limit, and is refused if there is none', async () => {
    const sandbox = await openSandbox({ settings: { rate_limit: 1 } })
    expect((await create(sandbox, DRY)).status).toBe(201)
    expect((await create(sandbox, DRY)).status).toBe(201)
    expect((await create(sandbox, {})).status).toBe(201)
    expect((await create(sandbox, DRY)).body.error.code).toBe('rate_limited')
  })
})

describe('what a dry run reports of an operation that replaces the state', () => {
  test.each(['reset', 'restoreSnapshot', 'importState'])(
    '%s counts the rows that it would replace',
    async (operation) => {
      const sandbox = await filled()
      const { body } = await send(sandbox, operation, ACCEPTED[operation] as Sent, DRY)
      expect(body.would_replace).toMatchObject({ payments: 2, payouts: 1, refunds: 1, rules: 1, faults: 1 })
      if (operation !== 'reset') expect(body.would_import).toMatchObject({ payments: 2, payouts: 1, refunds: 1 })
    },
  )
})

test.each(['yes', '1', 'TRUE', ''])('the header value %j is refused, so that a typo never writes', async (value) => {
  const sandbox = await filled()
  const before = await observed(sandbox)
  for (const operation of ['createPayment', 'createRule']) {
    const reply = await send(sandbox, operation, ACCEPTED[operation] as Sent, { 'X-PSP-Dry-Run': value })
    expect([reply.status, reply.body.error.code]).toEqual([400, 'bad_request'])
  }
  expect((await observed(sandbox)).tables).toEqual(before.tables)
})

test('a form of the payment page is refused with the header, because a page has no dry run', async () => {
  const sandbox = await filled()
  const before = await observed(sandbox)
  const reply = await sandbox.sandbox.fetch(
    new Request(`http://127.0.0.1:7770/pay/${sandbox.ids.open}/pay`, { method: 'POST', headers: DRY }),
  )
  expect(reply.status).toBe(400)
  expect((await observed(sandbox)).tables).toEqual(before.tables)
})

test('a stream that is opened with the header ends at once and takes no place', async () => {
  const sandbox = await filled()
  const { api_key } = sandbox.sandbox.defaultShop()
  for (const path of ['/v1/public/events', '/_psp/stream']) {
    const reply = await sandbox.sandbox.fetch(
      new Request(`http://127.0.0.1:7770${path}`, { headers: { ...DRY, authorization: `Bearer ${api_key}` } }),
    )
    expect([reply.status, await reply.text()]).toEqual([200, ''])
  }
})
