// Several tests share a sandbox: payments arrive all the time, and receivers are slow, while one test advances the clock.
import { expect, onTestFinished, test } from 'vitest'
import type { Transport } from '../../src/receiver-client/transport.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { type Adapter, createArrangement } from '../contract/adapter.ts'
import { createPayment } from '../contract/caller.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const MINUTE = 60_000
/** The ms between two payments at 12 payments per second. */
const INTERVAL = 83

async function busySandbox(transport: (systemClock: ReturnType<typeof manualSystemClock>) => Transport) {
  const systemClock = manualSystemClock(Date.UTC(2026, 4, 6, 12))
  const sandbox = await assembleSandbox({
    systemClock,
    endpoints: ['http://127.0.0.1:9/hooks'],
    transport: transport(systemClock),
  })
  onTestFinished(async () => {
    const closed = sandbox.close({ grace_ms: 0 })
    await systemClock.advance(MINUTE)
    await closed
  })
  const fetch: Adapter['fetch'] = (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init))
  const adapter: Adapter = { fetch, ...createArrangement(sandbox), close: () => sandbox.close() }
  const post = (path: string, body: object) =>
    fetch(`/_psp${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  return {
    sandbox,
    systemClock,
    post,
    /** Creates up to `count` payments, one every 83 ms, until `until` settles. Returns the elapsed ms. */
    async load(count: number, until?: Promise<unknown>): Promise<number> {
      let over = false
      const end = () => {
        over = true
      }
      until?.then(end, end)
      for (let i = 1; i <= count; i++) {
        expect((await createPayment(adapter)).status).toBe(201)
        await systemClock.advance(INTERVAL)
        if (over) return i * INTERVAL
      }
      return count * INTERVAL
    },
  }
}

/** Responds to each request after `ms` of the system clock. */
const respondsAfter =
  (ms: number) =>
  (systemClock: ReturnType<typeof manualSystemClock>): Transport =>
  () =>
    new Promise((resolve) => void systemClock.setTimeout(() => resolve({ status: 200 }), ms))

test('an advance and the queued change of mode end although 12 payments arrive per second', async () => {
  const { post, load, sandbox } = await busySandbox(respondsAfter(100))
  await load(60)
  const before = sandbox.timeline.now()
  const advance = post('/clock/advance', { by: '20m' })
  expect(await load(400, advance)).toBeLessThan(10_000)
  const { now } = (await (await advance).json()) as { now: string }
  expect(Date.parse(now) - before).toBeGreaterThanOrEqual(20 * MINUTE)
  const change = post('/clock', { mode: 'frozen' })
  expect(await load(400, change)).toBeLessThan(2000)
  expect((await change).status).toBe(200)
})

test('an advance until idle ends although 12 payments arrive per second', async () => {
  const { post, load } = await busySandbox(respondsAfter(100))
  await load(60)
  const advance = post('/clock/advance', { until: 'idle' })
  expect(await load(400, advance)).toBeLessThan(10_000)
  expect((await advance).status).toBe(200)
})

test('an advance waits at most one second for a receiver that hangs on earlier webhooks', async () => {
  const { post, load, systemClock, sandbox } = await busySandbox(respondsAfter(15_000))
  await load(60)
  await systemClock.advance(5000)
  expect(sandbox.dispatcher.count().sending).toBeGreaterThan(0)
  const advance = post('/clock/advance', { by: '5m' })
  await systemClock.advance(1000)
  expect(await (await advance).json()).toMatchObject({ steps: 0 })
})
