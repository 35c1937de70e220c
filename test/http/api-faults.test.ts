// Faults of API responses, and of webhooks for which a response waits.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../../src/domain/delivery.ts'
import { createWaitForWebhook } from '../../src/http/before-response.ts'
import { createApiFaults } from '../../src/http/faults.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { type Adapter, createArrangement, frozenSandbox } from '../contract/adapter.ts'
import { createPayment, PAYMENTS, post, succeeded } from '../contract/caller.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

let sandbox: Sandbox
let adapter: Adapter
const sent: string[] = []
beforeEach(async () => {
  sent.length = 0
  const transport = async ({ body }: { readonly body: Uint8Array }) => {
    sent.push(JSON.parse(Buffer.from(body).toString()).event)
    return { status: 200, ms: 1, headers: [], body: { text: '' } }
  }
  sandbox = await frozenSandbox({ transport: transport as never })
  adapter = {
    fetch: (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init)),
    ...createArrangement(sandbox),
    close: () => sandbox.close(),
  }
})
afterEach(() => adapter.close())

const fault = (text: string, more: object = {}) =>
  sandbox.engine.execute('add_fault', { target: 'api', fault: text, ...more })

describe('latency', () => {
  test('delays the request by its duration on the system clock', async () => {
    const systemClock = manualSystemClock()
    const take = createApiFaults(sandbox.engine, systemClock)
    fault('latency:2s')
    let done = false
    const { latency } = take(() => ({ operation: 'payment' })) ?? {}
    latency?.then(() => {
      done = true
    })
    await systemClock.advance(1999)
    expect(done).toBe(false)
    await systemClock.advance(1)
    expect(done).toBe(true)
    expect(systemClock.waiting()).toBe(0)
  })

  test('ends the delay when the fault is removed', async () => {
    const { id } = fault('latency:1h')
    const response = createPayment(adapter)
    sandbox.engine.execute('remove_faults', { id })
    expect((await response).status).toBe(201)
  })

  test('a sandbox that closes aborts delayed requests and leaves no timer', async () => {
    const systemClock = manualSystemClock()
    const closing = new AbortController()
    const take = createApiFaults(sandbox.engine, systemClock, closing.signal)
    fault('latency:1h')
    const { latency } = take(() => ({ operation: 'payment' })) ?? {}
    closing.abort()
    await expect(latency).rejects.toThrow('fetch failed')
    await expect(take(() => ({ operation: 'payment' }))?.latency).rejects.toThrow('fetch failed')
    expect(systemClock.waiting()).toBe(0)
    const response = createPayment(adapter)
    const ended = expect(response).rejects.toThrow('fetch failed')
    await sandbox.close()
    await ended
  })

  test('a reset of the sandbox ends the request with an error', async () => {
    fault('latency:1h')
    const response = createPayment(adapter)
    sandbox.engine.execute('reset', {})
    expect((await response).status).toBe(409)
  })
})

describe('late_response', () => {
  test('the payment exists before its response, and a retry with the same key returns it', async () => {
    const { id } = fault('late_response:1h', { times: 1 })
    const create = () => createPayment(adapter, {}, { headers: { 'Idempotency-Key': 'late-1' } })
    let isSent = false
    const first = create().finally(() => {
      isSent = true
    })
    const retry = await create()
    expect(isSent).toBe(false)
    expect([...sandbox.engine.world.rows('payments')]).toHaveLength(1)
    sandbox.engine.execute('remove_faults', { id })
    expect((await first).body.payment.id).toBe(retry.body.payment.id)
  })

  test('delays an error response, too', async () => {
    const { id } = fault('late_response:1h', { times: 1 })
    let isSent = false
    const first = createPayment(adapter, {}, { headers: { 'X-PSP-Simulate': 'error:aml_blocked' } }).finally(() => {
      isSent = true
    })
    expect((await createPayment(adapter)).status).toBe(201)
    expect(isSent).toBe(false)
    sandbox.engine.execute('remove_faults', { id })
    expect((await first).body.error.code).toBe('aml_blocked')
  })
})

describe('match', () => {
  test('a fault matches by method, path, operation and object', async () => {
    const id = await succeeded(adapter)
    fault('status:500', { match: { operation: 'refund', object_id: id } })
    fault('status:500', { match: { path: '/v1/public/banks/*' } })
    fault('status:500', { match: { method: 'PUT' } })
    expect((await createPayment(adapter)).status).toBe(201)
    expect((await post(adapter, `${PAYMENTS}/${id}/refund`)).status).toBe(500)
    expect((await post(adapter, `/api${PAYMENTS}/${id.toUpperCase()}/refund`)).status).toBe(500)
    expect((await adapter.fetch('/v1/public/banks/sbp', { headers: auth() })).status).toBe(500)
  })

  test('a rejected request counts no fault', async () => {
    fault('status:500', { times: 1 })
    expect((await createPayment(adapter, {}, { key: null })).status).toBe(401)
    expect((await createPayment(adapter, { amount: 0 })).status).toBe(400)
    expect((await createPayment(adapter)).status).toBe(500)
    expect((await createPayment(adapter)).status).toBe(201)
  })
})

describe('the log', () => {
  const last = () => sandbox.fetch(new Request('http://127.0.0.1:7770/_psp/requests?limit=1')).then((r) => r.json())

  test('contains the faults of a request and their ids', async () => {
    const { id } = fault('latency:1ms')
    const other = fault('status:503', { times: 1 })
    fault('cut', { match: { operation: 'refund' } })
    const response = await createPayment(adapter)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    const { items } = (await last()) as { items: object[] }
    expect(items[0]).toMatchObject({ faults: ['status:503', 'latency:1ms'], fault_ids: [other.id, id], status: 503 })
  })

  test.each(['cut', 'reset'])('an error response of the operation is aborted by %s, too', async (name) => {
    const { id } = fault(name, { times: 1 })
    await expect(post(adapter, `${PAYMENTS}/${crypto.randomUUID()}/cancel`)).rejects.toThrow('fetch failed')
    const { items } = (await last()) as { items: object[] }
    expect(items[0]).toMatchObject({ faults: [name], fault_ids: [id], status: 404, code: 'not_found' })
  })

  test('names what refused a request whose response a fault delays', async () => {
    fault('late_response:1ms')
    const { id } = sandbox.engine.execute('add_rule', { plan: 'error:aml_blocked' })
    const { status } = await createPayment(adapter)
    const { items } = (await last()) as { items: object[] }
    expect(items[0]).toMatchObject({ status, code: 'aml_blocked', decided_by: `rule ${id}` })
  })

  test('a fault of another target causes no commit', async () => {
    sandbox.engine.execute('add_fault', { target: 'stream', fault: 'drop' })
    let commits = 0
    sandbox.engine.onCommit(() => commits++)
    await adapter.fetch('/v1/public/banks/sbp', { headers: auth() })
    expect(commits).toBe(0)
  })
})

const auth = () => ({ Authorization: `Bearer ${adapter.shop.api_key}` })

describe('before_response', () => {
  const hold = () => sandbox.engine.execute('add_fault', { target: 'webhook', fault: 'before_response', times: 1 })

  test('the webhook of a refund is received before the response', async () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    const id = await succeeded(adapter)
    await sandbox.idle()
    sent.length = 0
    hold()
    const response = await post(adapter, `${PAYMENTS}/${id}/refund`)
    expect(response.status).toBe(201)
    expect(sent).toEqual(['payment.refunded'])
    const [delivery] = [...sandbox.engine.world.rows('deliveries', 'newest')] as [Delivery]
    expect(delivery.attempts).toHaveLength(1)
  })

  test('no response waits if there is no endpoint', async () => {
    hold()
    expect((await createPayment(adapter)).status).toBe(201)
  })

  test('the wait ends after webhook_timeout', async () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    hold()
    const systemClock = manualSystemClock()
    const waitForWebhook = createWaitForWebhook(sandbox.engine, systemClock)
    let done = false
    waitForWebhook('payment', 'p', adapter.shop.shop_id)?.then(() => {
      done = true
    })
    await systemClock.advance(14_999)
    expect(done).toBe(false)
    await systemClock.advance(1)
    expect(done).toBe(true)
  })

  test.each([
    [{ probability: 0 }, false],
    [{ every: 2 }, false],
    [{ every: 1 }, true],
    [{ match: { event: 'payment.refunded' } }, false],
    [{ match: { event: 'payment.*', attempt: 1 } }, true],
  ])('a fault with %j delays the response of a payment: %s', (more, isDelayed) => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    sandbox.engine.execute('add_fault', { target: 'webhook', fault: 'before_response', ...more })
    const waitForWebhook = createWaitForWebhook(sandbox.engine, manualSystemClock())
    expect(waitForWebhook('payment', 'p', adapter.shop.shop_id) !== undefined).toBe(isDelayed)
  })

  test('the removal of the fault ends the delay, and that of another fault does not', async () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    const held = hold()
    const other = fault('latency:1s')
    const systemClock = manualSystemClock()
    let done = false
    createWaitForWebhook(sandbox.engine, systemClock)('payment', 'p', adapter.shop.shop_id)?.then(() => {
      done = true
    })
    sandbox.engine.execute('remove_faults', { id: other.id })
    await systemClock.advance(0)
    expect(done).toBe(false)
    sandbox.engine.execute('remove_faults', { id: held.id })
    await systemClock.advance(0)
    expect([done, systemClock.waiting()]).toEqual([true, 0])
  })

  test('no response waits if each endpoint has other events', () => {
    const input = { url: 'http://127.0.0.1:9/', events: ['payout.succeeded'] as const }
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input })
    hold()
    const waitForWebhook = createWaitForWebhook(sandbox.engine, manualSystemClock())
    const waits = (operation: string) => waitForWebhook(operation, 'p', adapter.shop.shop_id) !== undefined
    expect([waits('payment'), waits('payout')]).toEqual([false, true])
  })

  test('an operation without webhooks does not wait', () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    hold()
    const waitForWebhook = createWaitForWebhook(sandbox.engine, manualSystemClock())
    expect(waitForWebhook('banks', '', adapter.shop.shop_id)).toBeUndefined()
  })
})
