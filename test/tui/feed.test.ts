// The feed and the calls against a sandbox in this process.
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { systemWall } from '../../src/time/wall.ts'
import { runFeed } from '../../src/tui/feed/feed.ts'
import { loadDetail } from '../../src/tui/feed/load-detail.ts'
import { runCall } from '../../src/tui/feed/run-call.ts'
import type { Call } from '../../src/tui/state/effect.ts'
import { reduce } from '../../src/tui/state/reducer.ts'
import type { State } from '../../src/tui/state/state.ts'
import { start } from './fixtures.ts'

const wall = systemWall()
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function sandbox(): Promise<Sandbox> {
  const made = await assembleSandbox({ clock: { mode: 'frozen' }, wall })
  ends.push(() => made.close({ grace_ms: 0 }))
  return made
}

/** A view without a screen. The stream can be cut. */
async function viewOf({ fetch, start: shop }: Sandbox) {
  let cut = () => {}
  const client = createClient({
    baseUrl: 'http://127.0.0.1:7770',
    apiKey: shop().api_key,
    fetch: async (url, init) => {
      const reply = await fetch(new Request(url, init))
      if (!url.endsWith('/_psp/stream') || reply.body === null) return reply
      const { body, cutIt } = cuttable(reply.body)
      cut = cutIt
      return new Response(body, reply)
    },
  })
  const controller = new AbortController()
  ends.push(() => controller.abort())
  let state: State = start()
  const waiting: (() => void)[] = []
  const fed = runFeed({
    client,
    wall,
    signal: controller.signal,
    dispatch(action) {
      state = reduce(state, action)[0]
      for (const look of waiting.splice(0)) look()
    },
  })
  fed.catch(() => {})
  async function until(holds: (state: State) => boolean): Promise<State> {
    while (!holds(state)) await new Promise<void>((resolve) => waiting.push(resolve))
    return state
  }
  const call = (what: Call) => runCall(what, { client, openPage: async () => {}, payUrl: 'http://127.0.0.1:7770' })
  return { client, until, call, cut: () => cut(), state: () => state }
}

function cuttable(source: ReadableStream<Uint8Array>) {
  let cutIt = () => {}
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const reader = source.getReader()
      cutIt = () => {
        controller.close()
        reader.cancel().catch(() => {})
        cutIt = () => {}
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
  return { body, cutIt: () => cutIt() }
}

test('what was there before, and what happens then', async () => {
  const made = await sandbox()
  const early = await viewOf(made)
  await early.until(({ connection }) => connection.state === 'open')
  const { payment } = await early.client.payments.create({ amount: 100, method: 'sbp' }, { outcome: 'requires_action' })

  const view = await viewOf(made)
  const known = await view.until(({ tables }) => tables.payments.get(payment.id)?.payment.plan !== undefined)
  expect(known.clock?.mode).toBe('frozen')
  await view.call({ do: 'pay', id: payment.id })
  const { tables } = await view.until((state) => state.tables.payments.get(payment.id)?.payment.status === 'succeeded')
  expect(tables.payments.get(payment.id)?.steps.map(({ label }) => label)).toEqual([
    'pending',
    'processing',
    'succeeded',
  ])
  const { requests, stream } = (await view.until((state) => state.tables.requests.size === 1)).tables
  expect([...requests.values()][0]?.request).toMatchObject({ method: 'POST', status: 201 })
  expect([...stream.values()].some(({ kind }) => kind === 'event')).toBe(true)
})

test('a view that opens late shows each payment as it is, at no time as it was', async () => {
  const made = await sandbox()
  const early = await viewOf(made)
  await early.until(({ connection }) => connection.state === 'open')
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await early.client.payments.create({ amount: 100 })).payment.id)
  await early.client.control.clock.advance({ by: '1h' })

  const seen = new Set<string | undefined>()
  const late = await viewOf(made)
  await late.until(({ tables }) => {
    for (const id of ids) seen.add(tables.payments.get(id)?.payment.status)
    return ids.every((id) => (tables.payments.get(id)?.steps.length ?? 0) > 1)
  })
  expect([...seen].filter((status) => status !== undefined)).toEqual(['succeeded'])
})

test('the stream is cut: nothing is lost, nothing told twice', async () => {
  const view = await viewOf(await sandbox())
  await view.until(({ connection }) => connection.state === 'open')
  const { payment } = await view.client.payments.create({ amount: 100, method: 'sbp' }, { outcome: 'requires_action' })
  await view.until(({ tables }) => tables.payments.has(payment.id))
  view.cut()
  await view.call({ do: 'pay', id: payment.id })
  const steps = (state: State) => state.tables.payments.get(payment.id)?.steps.map(({ label }) => label) ?? []
  expect(steps(await view.until((state) => steps(state).length > 2))).toEqual(['pending', 'processing', 'succeeded'])
  expect(view.state().tables.payments.get(payment.id)?.payment.status).toBe('succeeded')
})

test('a reset empties the view', async () => {
  const view = await viewOf(await sandbox())
  const { payment } = await view.client.payments.create({ amount: 100 })
  await view.until(({ tables }) => tables.payments.has(payment.id))
  await view.client.control.store.reset()
  await view.until(({ tables }) => tables.payments.size === 0)
})

test('every call does what it says', async () => {
  const made = await sandbox()
  const { call, client, until } = await viewOf(made)
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
    /^The clock moved ahead: \d+ steps?, 0 delivery attempts\.$/,
  )
  await call({ do: 'resume' })
  expect((await client.control.clock.get()).mode).toBe('real')
  await call({ do: 'freeze' })
  expect((await client.control.clock.get()).mode).toBe('frozen')
  await until(({ clock }) => clock?.mode === 'frozen')
  expect((await call({ do: 'open', id: paid })).text).toBe(`Opened http://127.0.0.1:7770/pay/${paid}`)
  await expect(call({ do: 'replay_newest', object_id: paid })).rejects.toThrow('Nobody would get this event')
  await expect(call({ do: 'retry_newest', object_id: paid })).rejects.toThrow('Nothing of it was ever delivered')
  const found = await loadDetail(client, 'payments', paid)
  expect(found).toMatchObject({ events: [{ event: 'payment.refunded' }, { event: 'payment.succeeded' }] })
  const [request] = (await client.control.requests({ limit: 1 })).items
  expect(await loadDetail(client, 'requests', String(request?.id))).toMatchObject({ request: { path: request?.path } })
})
