// Each route of the control API responds to random input with a result or the error object, and the sandbox continues.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import type { RunningServer } from '../../../src/node/server.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { frozenSandbox } from '../../contract/adapter.ts'
import { serve } from '../fixtures.ts'
import {
  encodeURIComponentSafe,
  expectPlannedResponse,
  headers,
  oddText,
  oddValue,
  type RawResponse,
  RUNS,
  SEED,
  send,
} from '../fuzz-input.ts'

let sandbox: Sandbox
let server: RunningServer
const errors: unknown[] = []

beforeAll(async () => {
  sandbox = await frozenSandbox({ onInternalError: (error) => errors.push(error) })
  server = await serve(sandbox)
})
afterAll(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close({ grace_ms: 0 })
})

const ask = (method: string, path: string, body = '', more: Record<string, string> = {}): Promise<RawResponse> =>
  send(server.port, method, path, body, more)

/** The ids of existing objects, by the first segment of their paths. They are created again after a reset. */
let ids: Readonly<Record<string, string | undefined>> = {}
const IMPORTED = {
  id: `imp_${'a'.repeat(24)}`,
  received_at: '2026-05-06T12:00:00Z',
  source: 'session.har entry 1',
  signature: 'missing',
  body: '{"id":"evt_1","event":"payment.succeeded","data":{}}',
}

async function seed(): Promise<void> {
  const made = async (path: string, body: object): Promise<Record<string, string>> =>
    JSON.parse((await ask('POST', `/_psp${path}`, JSON.stringify(body))).text)
  const { shop_id = '', api_key = '' } = await made('/shops', { endpoints: [{ url: 'http://127.0.0.1:9/' }] })
  const { payment_id = '', event_id = '' } = await made('/trigger', { event: 'payment.succeeded', shop_id })
  // Pending objects for the actions.
  const pending = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${api_key}`, 'X-PSP-Simulate': 'pending' }
    return JSON.parse((await ask('POST', `/v1/public${path}`, JSON.stringify(body), headers)).text)
  }
  const { payment } = await pending('/payments', { amount: 1 })
  const { payout } = await pending('/payouts', { amount: 1, phone: '+79991234567', bank_id: '100000000111' })
  const refund = await pending(`/payments/${payment_id}/refund`, {})
  const first = async (path: string) => JSON.parse((await ask('GET', `/_psp${path}`)).text).items[0]?.id ?? ''
  ids = {
    shops: shop_id,
    keys: await first(`/shops/${shop_id}/keys`),
    endpoints: await first(`/shops/${shop_id}/endpoints`),
    payments: payment?.id,
    payouts: payout?.id,
    refunds: refund.id,
    events: event_id,
    deliveries: await first(`/deliveries?event_id=${event_id}`),
    rules: (await made('/rules', { plan: 'failed', match: { amount: 1 } }))['id'] ?? '',
    'imported-events': IMPORTED.id,
    faults: (await made('/faults', { target: 'webhook', fault: 'duplicate:1', times: 1 }))['id'] ?? '',
    listeners: (await made('/listeners', { shop_id, url: 'http://127.0.0.1:9/' }))['id'] ?? '',
    snapshots: 'one',
  }
  await made('/imported-events', { events: [IMPORTED] })
  await ask('PUT', '/_psp/snapshots/one')
}

const FIELDS = new Map<string, readonly unknown[]>(
  Object.entries({
    action: ['pay', 'decline', 'expire', 'choose_method', 'open_session', 'settle'],
    status: ['succeeded', 'failed', 'delivered', 200],
    method: ['sbp', 'any', 'cards'],
    failure_code: ['do_not_honor', 'insufficient_funds'],
    mode: ['test', 'live', 'real', 'frozen', 'scaled'],
    now: ['2026-05-06T12:00:00Z', '2030-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
    speed: [60, 1e308, 1e-308],
    by: ['1s', '20m', '0s', '9999999d'],
    to: ['2026-05-06T13:00:00Z', '9999-12-31T23:59:59Z'],
    until: ['idle'],
    event: ['payment.succeeded', 'payout.failed'],
    events: [[], ['payment.failed'], ['nope']],
    set: [{}, { amount: 5 }, { failure_code: 'do_not_honor' }],
    scenario: ['paid', { name: 'x', steps: [] }],
    url: ['http://127.0.0.1:9/', 'https://127.0.0.1:9/x'],
    signature: ['v1', 'v2'],
    name: ['A shop'],
    ip_allow_list: [[], ['::1'], ['10.0.0.0/8', 'x']],
    rate_limit: [0, 5],
    payout_route: [true],
    endpoints: [[], [{ url: 'http://127.0.0.1:9/' }]],
    plan: ['failed', ['failed', 'succeeded'], []],
    match: [{}, { amount: 5 }, { amount: '1*' }],
    times: [1],
    every: [2],
    target: ['api', 'webhook', 'stream', 'redirect'],
    fault: ['latency:1ms', 'status:503', 'cut', 'drop', 'tamper', 'disconnect'],
    probability: [0, 1],
    all: [true],
    attempt: [1],
    tables: [{}, { payments: [{ id: 'x' }] }, { shops: [] }],
    format: ['1'],
    'delays.bank': ['1s'],
    default_outcome: ['failed', 'error:internal_error'],
    body_limit: [5000],
    trust_proxy: [true],
  }),
)
const field = fc
  .constantFrom(...FIELDS.keys(), 'shop_id', 'merchant_id', 'delivery_id', '__proto__', 'x')
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...(FIELDS.get(name) ?? ['text'])), oddValue)))
const pairs = fc.array(field, { maxLength: 4 }).map((given) => JSON.stringify(Object.fromEntries(given)))
/** Valid bodies by route. Other routes accept none or an empty one. */
const VALID_BODIES: Readonly<Record<string, object>> = {
  'PATCH /settings': { 'delays.bank': '1s' },
  'POST /clock': { mode: 'frozen' },
  'POST /clock/advance': { by: '1s' },
  'POST /shops/:id/wait': { event: 'payment.expired', timeout: '1ms' },
  'POST /shops/:id/keys': { mode: 'test' },
  'POST /shops/:id/endpoints': { url: 'http://127.0.0.1:9/' },
  'POST /payments': { amount: 100 },
  'POST /payouts': { amount: 100, phone: '+79991234567', bank_id: '100000000111' },
  'POST /payments/:id/act': { action: 'pay' },
  'POST /payouts/:id/act': { action: 'settle', status: 'failed' },
  'POST /refunds/:id/act': { action: 'settle', status: 'failed' },
  'POST /trigger': { event: 'payment.failed' },
  'POST /rules': { plan: 'failed', match: { amount: 3 } },
  'POST /faults': { target: 'webhook', fault: 'drop', times: 1 },
  'POST /imported-events': { events: [IMPORTED] },
  'POST /listeners': { url: 'http://127.0.0.1:9/' },
}
const body = fc.oneof(
  { weight: 6, arbitrary: fc.constant(':valid') },
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 6, arbitrary: pairs },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: oddText },
)
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc
    .tuple(fc.constantFrom('limit', 'cursor', 'shop_id', 'status', 'since', 'tables', 'timeout', 'x'), oddText)
    .map(([name, value]) => `?${name}=${encodeURIComponentSafe(value)}`),
)
const segment = fc.oneof({ weight: 4, arbitrary: fc.constant(':own') }, oddText.map(encodeURIComponentSafe))
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS')
const odd = fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, method)
const shot = fc.record({ route: fc.nat(CONTROL_ROUTES.length - 1), odd, segment, query, body, headers })

test('random requests to every route get no 5xx, each error is the error object, and the sandbox continues', async () => {
  await seed()
  const seen = new Map(CONTROL_ROUTES.map(({ method, path }) => [`${method} ${path}`, new Set<number>()]))
  const run = async (given: typeof shot extends fc.Arbitrary<infer T> ? T : never) => {
    const route = CONTROL_ROUTES[given.route]
    if (route === undefined) return
    const own = ids[route.path.split('/')[1] ?? ''] ?? 'x'
    const id = given.segment === ':own' ? own : given.segment
    const path = `/_psp${route.path.replace(/:(id|name)/, () => id)}${given.query}`
    // With the headers of a page of another site each response would be 403.
    const { Origin, Authorization, ...more } = given.headers
    const validBody = JSON.stringify(VALID_BODIES[`${route.method} ${route.path}`] ?? {})
    const sent = given.body === ':valid' ? validBody : given.body
    const response = await ask(given.odd ?? route.method, path, sent, more)
    expectPlannedResponse(response, given.odd ?? route.method)
    expect(response.status, response.text).not.toBe(502)
    if (given.odd === null) seen.get(`${route.method} ${route.path}`)?.add(response.status)
    const wiped = ['/reset', '/import', '/snapshots/:name/restore', '/snapshots/:name', '/keys/:id']
    if (route.method !== 'GET' && response.status < 300 && wiped.includes(route.path)) await seed()
  }
  await fc.assert(fc.asyncProperty(shot, run), { seed: SEED, numRuns: RUNS })
  expect(errors).toEqual([])
  // A random state is not valid, no listener has an attempt in flight, and the payment is pending.
  const never = ['PUT /import', 'POST /listeners/:id/results', 'POST /payments/:id/refund']
  const isGood = (route: string) => [200, 201, 204].some((status) => seen.get(route)?.has(status))
  for (const { method, path } of CONTROL_ROUTES) {
    const route = `${method} ${path}`
    if (isGood(route) || never.includes(route)) continue
    // Chance sent no valid request to this route.
    await ask('POST', '/_psp/reset', '{"all":true}')
    await seed()
    const own = ids[path.split('/')[1] ?? ''] ?? 'x'
    const body = JSON.stringify(VALID_BODIES[route] ?? {})
    const query = path === '/messages' ? `?object_id=${ids['payments']}` : ''
    const { status, text } = await ask(method, `/_psp${path.replace(/:(id|name)/, () => own)}${query}`, body)
    expect([200, 201, 204], `${route}: ${text}`).toContain(status)
  }
  expect((await ask('POST', '/_psp/reset', '{"all":true}')).status).toBe(200)
  const key = sandbox.defaultShop().api_key
  const valid = await ask('POST', '/v1/public/payments', '{"amount":100}', { Authorization: `Bearer ${key}` })
  expect(valid.status, valid.text).toBe(201)
})
