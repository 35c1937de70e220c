// Runs the feed and the calls against a sandbox in this process.
import { afterEach, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { reduce } from '../../src/tui/state/reducer.ts'
import type { State } from '../../src/tui/state/state.ts'
import type { SingleCall } from '../../src/view-model/effect.ts'
import { runFeed } from '../../src/view-model/feed/feed.ts'
import { loadDetail, runCall } from '../../src/view-model/feed/run-call.ts'
import { NOTHING_READ } from '../../src/view-model/model.ts'
import { clientOf } from '../client-of.ts'
import { createState } from '../tui/fixtures.ts'

const systemClock = createSystemClock()
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

async function startSandbox(options: Parameters<typeof assembleSandbox>[0] = {}): Promise<Sandbox> {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' }, systemClock, ...options })
  cleanups.push(() => sandbox.close({ grace_ms: 0 }))
  return sandbox
}

/** Opens a view without a screen. Its stream can be disconnected. */
async function openView(
  { fetch, defaultShop: shop }: Sandbox,
  options: { onRequest?(url: string): void; timers?: typeof systemClock; controlToken?: string } = {},
) {
  const { onRequest = () => {}, timers = systemClock, controlToken } = options
  let cut = () => {}
  const client = createClient({
    baseUrl: 'http://127.0.0.1:7770',
    apiKey: shop().api_key,
    controlToken,
    fetch: async (url, init) => {
      onRequest(url)
      const response = await fetch(new Request(url, init))
      if (!url.includes('/_psp/stream') || response.body === null) return response
      const { body, disconnect } = createCuttableStream(response.body)
      cut = disconnect
      return new Response(body, response)
    },
  })
  const controller = new AbortController()
  cleanups.push(() => controller.abort())
  let state: State = { ...createState(), rowsRead: NOTHING_READ }
  const listeners: (() => void)[] = []
  const feed = runFeed({
    client,
    systemClock: timers,
    signal: controller.signal,
    dispatch(action) {
      state = reduce(state, action)[0]
      for (const notify of listeners.splice(0)) notify()
    },
  })
  feed.catch(() => {})
  async function until(condition: (state: State) => boolean): Promise<State> {
    while (!condition(state)) await new Promise<void>((resolve) => listeners.push(resolve))
    return state
  }
  const call = (call: SingleCall) =>
    runCall(call, { client, openPage: async () => {}, payUrl: 'http://127.0.0.1:7770' })
  return { client, until, call, cut: () => cut(), state: () => state }
}

function createCuttableStream(source: ReadableStream<Uint8Array>) {
  let disconnect = () => {}
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const reader = source.getReader()
      disconnect = () => {
        controller.close()
        reader.cancel().catch(() => {})
        disconnect = () => {}
      }
      for (;;) {
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
        if (done || value === undefined) return
        try {
          controller.enqueue(value)
        } catch {
          return
        }
      }
    },
  })
  return { body, disconnect: () => disconnect() }
}

test('the feed supplies existing rows and then the changes to them', async () => {
  const sandbox = await startSandbox()
  const firstView = await openView(sandbox)
  await firstView.until(({ connection }) => connection.state === 'open')
  const { payment } = await firstView.client.payments.create(
    { amount: 100, method: 'sbp' },
    { outcome: 'requires_action' },
  )

  const view = await openView(sandbox)
  const state = await view.until(({ tables }) => tables.payments.get(payment.id)?.payment.plan !== undefined)
  expect(state.clock?.mode).toBe('frozen')
  await view.call({ do: 'pay', id: payment.id })
  const { tables } = await view.until((state) => state.tables.payments.get(payment.id)?.steps.length === 3)
  expect(tables.payments.get(payment.id)?.payment.status).toBe('succeeded')
  expect(tables.payments.get(payment.id)?.steps.map(({ label }) => label)).toEqual([
    'pending',
    'processing',
    'succeeded',
  ])
  const { requests, stream } = (await view.until((state) => state.tables.requests.size === 1)).tables
  expect([...requests.values()][0]?.request).toMatchObject({ method: 'POST', status: 201 })
  expect([...stream.values()].some(({ kind }) => kind === 'event')).toBe(true)
})

test('a view that opens late never shows an outdated status of a payment', async () => {
  const sandbox = await startSandbox()
  const firstView = await openView(sandbox)
  await firstView.until(({ connection }) => connection.state === 'open')
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await firstView.client.payments.create({ amount: 100 })).payment.id)
  await firstView.client.control.clock.advance({ by: '1h' })

  const seen = new Set<string | undefined>()
  const lateView = await openView(sandbox)
  await lateView.until(({ tables }) => {
    for (const id of ids) seen.add(tables.payments.get(id)?.payment.status)
    return ids.every((id) => (tables.payments.get(id)?.steps.length ?? 0) > 1)
  })
  expect([...seen].filter((status) => status !== undefined)).toEqual(['succeeded'])
})

test('the first page of each list is shown before the rest of the payments is read', async () => {
  const sandbox = await startSandbox()
  const { client } = await openView(sandbox)
  for (let i = 0; i < 150; i++) await client.payments.create({ amount: 100 })
  const view = await openView(sandbox)
  const early = await view.until(({ tables }) => tables.requests.size > 0)
  expect(early.tables.payments.size).toBe(100)
  expect(early.rowsRead).toMatchObject({ payments: 0, requests: 0 })
  await view.until(({ tables, rowsRead }) => tables.payments.size === 150 && rowsRead.requests === undefined)
})

test('a reconnect of the stream neither loses nor repeats a step', async () => {
  const view = await openView(await startSandbox())
  await view.until(({ connection }) => connection.state === 'open')
  const { payment } = await view.client.payments.create({ amount: 100, method: 'sbp' }, { outcome: 'requires_action' })
  await view.until(({ tables }) => tables.payments.has(payment.id))
  view.cut()
  await view.call({ do: 'pay', id: payment.id })
  const steps = (state: State) => state.tables.payments.get(payment.id)?.steps.map(({ label }) => label) ?? []
  expect(steps(await view.until((state) => steps(state).length > 2))).toEqual(['pending', 'processing', 'succeeded'])
  expect(view.state().tables.payments.get(payment.id)?.payment.status).toBe('succeeded')
})

test('the view is empty after a reset', async () => {
  const view = await openView(await startSandbox())
  const { payment } = await view.client.payments.create({ amount: 100 })
  await view.until(({ tables }) => tables.payments.has(payment.id))
  await view.client.control.store.reset()
  await view.until(({ tables }) => tables.payments.size === 0)
})

test('a view that opens after a reset never shows the payments, deliveries and payouts from before it', async () => {
  const sandbox = await startSandbox()
  const { client } = await openView(sandbox)
  await client.control.endpoints.create(sandbox.defaultShop().shop_id, { url: 'http://127.0.0.1:9/' })
  // Their messages fill more than one batch.
  for (let i = 0; i < 150; i++) await client.payments.create({ amount: 100 })
  await client.payouts.create({ amount: 100, phone: '+79161234567', bank_id: '100000000111' })
  await client.control.clock.advance({ by: '1h' })
  await client.control.store.reset()
  const { payment } = await client.payments.create({ amount: 100 })

  const view = await openView(sandbox)
  const sizes = new Set<string>()
  await view.until((state) => {
    const { payments, payouts, deliveries } = state.tables
    sizes.add(`${payments.size} ${payouts.size} ${deliveries.size}`)
    return (payments.get(payment.id)?.steps.length ?? 0) > 0
  })
  expect(sizes).toEqual(new Set(['0 0 0', '1 0 0']))
  expect(view.state().rowsRead).toEqual({})
})

test('every call performs its action and reports the result', async () => {
  const sandbox = await startSandbox()
  const { call, client, until } = await openView(sandbox)
  const body = { amount: 10_000, currency: 'RUB', method: 'sbp' } as const
  const create = async (outcome: string) => {
    const done = await call({ do: 'create_payment', body, outcome })
    expect(done.text).toMatch(/^Payment .+ of 100\.00 RUB is pending\.$/)
    return done.created?.pane === 'payments' ? done.created.payment.id : ''
  }
  const [paid, declined, cancelled] = [
    await create('requires_action'),
    await create('requires_action'),
    await create('requires_action'),
  ]
  expect((await call({ do: 'pay', id: paid })).text).toBe(`${paid} is succeeded.`)
  expect((await call({ do: 'decline', id: declined, code: 'card_lost' })).text).toBe(`${declined} is failed.`)
  expect((await call({ do: 'cancel', id: cancelled })).text).toBe(`${cancelled} is cancelled.`)
  expect((await call({ do: 'refund', id: paid, amount: 2500, reason: undefined })).text).toMatch(/is succeeded\.$/)
  const payout = await call({
    do: 'create_payout',
    body: { amount: 500, currency: 'RUB', phone: '+79001234567', bank_id: '100000000004' },
    outcome: 'pending',
  })
  const payoutId = payout.created?.pane === 'payouts' ? payout.created.payout.id : ''
  expect((await call({ do: 'settle', id: payoutId, status: 'failed', code: 'recipient_not_found' })).text).toBe(
    `${payoutId} is failed.`,
  )
  expect((await client.payouts.get(payoutId)).fail_reason).toBe('recipient_not_found')
  expect((await call({ do: 'advance', body: { by: '20m' } })).text).toMatch(
    /^The clock advanced: \d+ steps?, 0 delivery attempts\.$/,
  )
  await call({ do: 'resume' })
  expect((await client.control.clock.get()).mode).toBe('real')
  await call({ do: 'freeze' })
  expect((await client.control.clock.get()).mode).toBe('frozen')
  await until(({ clock }) => clock?.mode === 'frozen')
  expect((await call({ do: 'open', id: paid })).text).toBe(`Opened http://127.0.0.1:7770/pay/${paid}`)
  await expect(call({ do: 'replay_newest', object_id: paid })).rejects.toThrow(
    'No endpoint of the shop subscribes to this event',
  )
  await expect(call({ do: 'replay_newest', object_id: 'unknown' })).rejects.toMatchObject({
    name: 'NothingToDoError',
    message: 'This object has no webhook event yet.',
  })
  await expect(call({ do: 'retry_newest', object_id: paid })).rejects.toMatchObject({
    name: 'NothingToDoError',
    message:
      'This object has no delivery to retry. It has no event yet, or no endpoint of its shop subscribed to its events.',
  })
  const detail = await loadDetail(client, 'payments', paid)
  expect(detail).toMatchObject({ events: [{ event: 'payment.refunded' }, { event: 'payment.succeeded' }] })
  const [request] = (await client.control.requests({ limit: 1 })).items
  expect(await loadDetail(client, 'requests', String(request?.id))).toMatchObject({ request: { path: request?.path } })
})

test('the detail of an old request is found on a later page, and an unknown request has none', async () => {
  const sandbox = await startSandbox()
  const { client } = await openView(sandbox)
  const description = 'x'.repeat(200)
  for (let i = 0; i < 120; i++) await client.payments.create({ amount: 100 + i, description })
  const oldest = (await client.control.requests({ limit: 1000 })).items.at(-1)
  const limited = { ...client, control: { ...client.control, requests: pagesOf(client.control.requests, 50) } }
  const body = expect.stringContaining(description)
  expect(await loadDetail(limited, 'requests', String(oldest?.id))).toMatchObject({ request: { request: { body } } })
  expect(await loadDetail(limited, 'requests', '999999')).toMatchObject({ request: undefined })
})

/** Ends each page early, as the server does if its items are large. */
function pagesOf(list: Client['control']['requests'], rows: number): Client['control']['requests'] {
  return (filter) => list({ ...filter, limit: Math.min(filter?.limit ?? rows, rows) })
}

test('a verification reports the signature of the last attempt, and why there is none', async () => {
  const sandbox = await startSandbox()
  const { shop_id } = sandbox.defaultShop()
  sandbox.engine.execute('create_endpoint', { shop_id, input: { url: 'http://127.0.0.1:9/hooks' } })
  const { client, call } = await openView(sandbox)
  const { payment } = await client.payments.create({ amount: 100, method: 'sbp' })
  await call({ do: 'pay', id: payment.id })
  const [delivery] = (await client.control.deliveries.list({ object_id: payment.id })).items
  const verify = () => call({ do: 'verify', delivery_id: delivery?.id as string })
  await expect(verify()).rejects.toThrow('This delivery has no attempt yet.')
  await call({ do: 'advance', body: { by: '1s' } })
  expect((await verify()).text).toMatch(/^valid: The signature matches/)
  expect((await call({ do: 'retry', delivery_id: delivery?.id as string })).text).toMatch(
    /^Not delivered to http:\/\/127\.0\.0\.1:9\/hooks: .+[.?]$/,
  )
  const loaded = await loadDetail(client, 'stream', '1', { delivery_id: delivery?.id as string, number: 1 })
  expect(loaded).toMatchObject({ deliveries: [{ id: delivery?.id, attempts: [{ number: 1 }] }] })
  expect((await call({ do: 'verify', delivery_id: delivery?.id as string, attempt: 2 })).text).toMatch(/^valid/)
})

test.each([
  ['view-token-of-this-test', true],
  ['control-token-of-this-test', false],
])('a client with the token %s opens a view that is read only: %s', async (controlToken, readOnly) => {
  const control = { token: 'control-token-of-this-test', viewToken: 'view-token-of-this-test' }
  const view = await openView(await startSandbox({ control }), { controlToken })
  expect(await view.until(({ rowsRead }) => rowsRead.payments === undefined)).toMatchObject({ readOnly })
})

test('the feed reads lists in small pages, each in another turn of the event loop', async () => {
  const sandbox = await startSandbox()
  const [key] = [sandbox.defaultShop().api_key]
  const writer = clientOf(sandbox, key)
  for (let i = 0; i < 210; i++) await writer.payments.create({ amount: 100 })
  let turn = 0
  const countTurns: typeof systemClock.setTimeout = (fn, ms) => {
    if (ms === 0) turn++
    return systemClock.setTimeout(fn, ms)
  }
  const pages: { readonly limit: number; readonly turn: number }[] = []
  const view = await openView(sandbox, {
    onRequest(url) {
      const limit = new URL(url).searchParams.get('limit')
      if (limit !== null) pages.push({ limit: Number(limit), turn })
    },
    timers: { ...systemClock, setTimeout: countTurns },
  })
  await view.until(({ tables }) => tables.payments.size === 210 && tables.requests.size === 210)
  expect(Math.max(...pages.map(({ limit }) => limit))).toBeLessThanOrEqual(100)
  expect(pages.length).toBeGreaterThan(6)
  expect(new Set(pages.map((page) => page.turn)).size).toBe(pages.length)
})
