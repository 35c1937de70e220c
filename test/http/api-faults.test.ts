// Faults of the API and of what it waits for.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../../src/domain/delivery.ts'
import { createBeforeResponse } from '../../src/http/before-response.ts'
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
  test('holds the request for its time on the wall clock', async () => {
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

  test('lets go who waits when the fault is removed', async () => {
    const { id } = fault('latency:1h')
    const reply = createPayment(adapter)
    sandbox.engine.execute('remove_faults', { id })
    expect((await reply).status).toBe(201)
  })

  test('a sandbox that closes does nothing for who waits, and leaves no timer', async () => {
    const systemClock = manualSystemClock()
    const closing = new AbortController()
    const take = createApiFaults(sandbox.engine, systemClock, closing.signal)
    fault('latency:1h')
    const { latency } = take(() => ({ operation: 'payment' })) ?? {}
    closing.abort()
    await expect(latency).rejects.toThrow('fetch failed')
    await expect(take(() => ({ operation: 'payment' }))?.latency).rejects.toThrow('fetch failed')
    expect(systemClock.waiting()).toBe(0)
    const reply = createPayment(adapter)
    const ended = expect(reply).rejects.toThrow('fetch failed')
    await sandbox.close()
    await ended
  })

  test('a reset of the sandbox ends the request with an error', async () => {
    fault('latency:1h')
    const reply = createPayment(adapter)
    sandbox.engine.execute('reset', {})
    expect((await reply).status).toBe(409)
  })
})

describe('late_response', () => {
  test('the payment is there before its answer; a retry with the same key gets the same one', async () => {
    const { id } = fault('late_response:1h', { times: 1 })
    const create = () => createPayment(adapter, {}, { headers: { 'Idempotency-Key': 'late-1' } })
    let answered = false
    const first = create().finally(() => {
      answered = true
    })
    const retry = await create()
    expect(answered).toBe(false)
    expect([...sandbox.engine.world.rows('payments')]).toHaveLength(1)
    sandbox.engine.execute('remove_faults', { id })
    expect((await first).body.payment.id).toBe(retry.body.payment.id)
  })

  test('holds a refusal too', async () => {
    const { id } = fault('late_response:1h', { times: 1 })
    let answered = false
    const first = createPayment(adapter, {}, { headers: { 'X-PSP-Simulate': 'error:aml_blocked' } }).finally(() => {
      answered = true
    })
    expect((await createPayment(adapter)).status).toBe(201)
    expect(answered).toBe(false)
    sandbox.engine.execute('remove_faults', { id })
    expect((await first).body.error.code).toBe('aml_blocked')
  })
})

describe('match', () => {
  test('by method, path, operation and object', async () => {
    const id = await succeeded(adapter)
    fault('status:500', { match: { operation: 'refund', object_id: id } })
    fault('status:500', { match: { path: '/v1/public/banks/*' } })
    fault('status:500', { match: { method: 'PUT' } })
    expect((await createPayment(adapter)).status).toBe(201)
    expect((await post(adapter, `${PAYMENTS}/${id}/refund`)).status).toBe(500)
    expect((await post(adapter, `/api${PAYMENTS}/${id.toUpperCase()}/refund`)).status).toBe(500)
    expect((await adapter.fetch('/v1/public/banks/sbp', { headers: auth() })).status).toBe(500)
  })

  test('a refused request counts no fault', async () => {
    fault('status:500', { times: 1 })
    expect((await createPayment(adapter, {}, { key: null })).status).toBe(401)
    expect((await createPayment(adapter, { amount: 0 })).status).toBe(400)
    expect((await createPayment(adapter)).status).toBe(500)
    expect((await createPayment(adapter)).status).toBe(201)
  })
})

describe('the log', () => {
  const last = () => sandbox.fetch(new Request('http://127.0.0.1:7770/_psp/requests?limit=1')).then((r) => r.json())

  test('names what was done and by which fault', async () => {
    const { id } = fault('latency:1ms')
    const other = fault('status:503', { times: 1 })
    fault('cut', { match: { operation: 'refund' } })
    const reply = await createPayment(adapter)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1'])
    const { items } = (await last()) as { items: object[] }
    expect(items[0]).toMatchObject({ faults: ['status:503', 'latency:1ms'], fault_ids: [other.id, id], status: 503 })
  })

  test.each(['cut', 'reset'])('a refusal of the operation is broken off by %s all the same', async (name) => {
    const { id } = fault(name, { times: 1 })
    await expect(post(adapter, `${PAYMENTS}/${crypto.randomUUID()}/cancel`)).rejects.toThrow('fetch failed')
    const { items } = (await last()) as { items: object[] }
    expect(items[0]).toMatchObject({ faults: [name], fault_ids: [id], status: 404, code: 'not_found' })
  })

  test('faults of other targets write nothing', async () => {
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

  test('the webhook of a refund is there before the answer', async () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    const id = await succeeded(adapter)
    await sandbox.idle()
    sent.length = 0
    hold()
    const reply = await post(adapter, `${PAYMENTS}/${id}/refund`)
    expect(reply.status).toBe(201)
    expect(sent).toEqual(['payment.refunded'])
    const [delivery] = [...sandbox.engine.world.rows('deliveries', 'newest')] as [Delivery]
    expect(delivery.attempts).toHaveLength(1)
  })

  test('where nobody listens nobody waits', async () => {
    hold()
    expect((await createPayment(adapter)).status).toBe(201)
  })

  test('the wait ends after webhook_timeout', async () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    hold()
    const systemClock = manualSystemClock()
    const answerMay = createBeforeResponse(sandbox.engine, systemClock)
    let done = false
    answerMay('payment', 'p', adapter.shop.shop_id)?.then(() => {
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
  ])('%j: holds the answer of a payment: %s', (more, holds) => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    sandbox.engine.execute('add_fault', { target: 'webhook', fault: 'before_response', ...more })
    const answerMay = createBeforeResponse(sandbox.engine, manualSystemClock())
    expect(answerMay('payment', 'p', adapter.shop.shop_id) !== undefined).toBe(holds)
  })

  test('removing it lets go, removing another does not', async () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    const held = hold()
    const other = fault('latency:1s')
    const systemClock = manualSystemClock()
    let done = false
    createBeforeResponse(sandbox.engine, systemClock)('payment', 'p', adapter.shop.shop_id)?.then(() => {
      done = true
    })
    sandbox.engine.execute('remove_faults', { id: other.id })
    await systemClock.advance(0)
    expect(done).toBe(false)
    sandbox.engine.execute('remove_faults', { id: held.id })
    await systemClock.advance(0)
    expect([done, systemClock.waiting()]).toEqual([true, 0])
  })

  test('where every receiver wants other events nobody waits', () => {
    const input = { url: 'http://127.0.0.1:9/', events: ['payout.succeeded'] as const }
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input })
    hold()
    const answerMay = createBeforeResponse(sandbox.engine, manualSystemClock())
    const waits = (operation: string) => answerMay(operation, 'p', adapter.shop.shop_id) !== undefined
    expect([waits('payment'), waits('payout')]).toEqual([false, true])
  })

  test('an operation without webhooks does not wait', () => {
    sandbox.engine.execute('create_endpoint', { shop_id: adapter.shop.shop_id, input: { url: 'http://127.0.0.1:9/' } })
    hold()
    const answerMay = createBeforeResponse(sandbox.engine, manualSystemClock())
    expect(answerMay('banks', '', adapter.shop.shop_id)).toBeUndefined()
  })
})
