import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { ConnectionError } from '../../src/client/errors.ts'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { runScenario } from '../../src/scenarios/run-scenario.ts'
import { parseScenario } from '../../src/scenarios/scenario.ts'
import { findShippedScenario, listShippedScenarios } from '../../src/scenarios/shipped-scenarios.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { clientOf } from '../client-of.ts'
import { serve } from '../http/fixtures.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

/** Returns a reference as written in a file. */
const ref = (path: string) => `\${${path}}`

let sandbox: Sandbox
let client: Client
const ports = { systemClock: createSystemClock() }

beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  client = clientOf(sandbox)
})
afterEach(() => sandbox.close({ grace_ms: 0 }))

describe('shipped scenarios', () => {
  test.each(listShippedScenarios())('%s has the results that it expects', async (name) => {
    const scenario = findShippedScenario(name)
    if (scenario === undefined) throw new Error(`${name} is missing`)
    expect(scenario.name).toBe(name)
    expect(scenario.description).toMatch(/\.$/)
    const report = await runScenario(scenario, client, ports)
    expect(report.steps.flatMap(({ id, missed }) => missed.map((mismatch) => [id, mismatch]))).toEqual([])
    expect(report.steps).toHaveLength(scenario.steps.length)
  })

  // Faults of webhooks need an endpoint, so this test sends each webhook.
  test.each(listShippedScenarios())('%s removes its rules and faults and restores the clock', async (name) => {
    const sandbox = await assembleSandbox({
      clock: { mode: 'real' },
      endpoints: ['http://127.0.0.1:9/hooks'],
      transport: async () => ({ status: 200 }),
    })
    try {
      const client = clientOf(sandbox)
      const scenario = findShippedScenario(name)
      if (scenario === undefined) throw new Error(`${name} is missing`)
      expect((await runScenario(scenario, client, ports)).ok).toBe(true)
      for (const added of scenario.steps.filter((step) => /^(faults|rules)\.add$/.test(step.do))) {
        expect(added.with).toHaveProperty('times')
      }
      const rules = (await client.control.rules.list()).items.filter((row) => row.times === undefined)
      const faults = (await client.control.faults.list()).items.filter((row) => row.times === undefined)
      expect([rules, faults]).toEqual([[], []])
      expect(await client.control.clock.get()).toMatchObject({ mode: 'real' })
    } finally {
      await sandbox.close({ grace_ms: 0 })
    }
  })

  test('include the common cases', () => {
    expect(listShippedScenarios()).toEqual(
      expect.arrayContaining([
        'paid',
        'declined',
        'expired-link',
        'partial-refunds',
        'out-of-order',
        'double-delivery',
        'payout-failed',
        'late-response',
      ]),
    )
  })

  test.each([
    ['paid', ['payment.succeeded 1']],
    ['declined', ['payment.failed 1']],
    ['expired-link', ['payment.expired 1']],
    ['out-of-order', ['payment.refunded 1', 'payment.succeeded 1']],
    ['double-delivery', ['payment.succeeded 1', 'payment.succeeded 1']],
    ['payout-failed', ['payout.failed 1']],
    ['late-response', ['payment.succeeded 1', 'payment.succeeded 2']],
    ['partial-refunds', ['payment.succeeded 1', 'payment.refunded 1', 'payment.refunded 1']],
  ])('%s sends the webhooks %j', async (name, expected) => {
    const received: string[] = []
    const sandbox = await assembleSandbox({
      clock: { mode: 'frozen' },
      endpoints: ['http://127.0.0.1:9/hooks'],
      async transport({ body }) {
        const event = JSON.parse(Buffer.from(body).toString())
        const earlier = sandbox.engine.world.find('deliveries', 'by_event', event.id)[0]?.attempts.length ?? 0
        received.push(`${event.event} ${earlier + 1}`)
        return { status: 200 }
      },
    })
    try {
      const client = clientOf(sandbox)
      const scenario = findShippedScenario(name)
      if (scenario === undefined) throw new Error(`${name} is missing`)
      await runScenario(scenario, client, ports)
      await sandbox.idle()
      expect(received).toEqual(expected)
      expect([...sandbox.engine.world.rows('deliveries')].every(({ status }) => status === 'delivered')).toBe(true)
    } finally {
      await sandbox.close({ grace_ms: 0 })
    }
  })

  test('do not include an unknown name', () => {
    expect(findShippedScenario('../secrets')).toBeUndefined()
  })
})

describe('a run of a scenario', () => {
  const play = (...steps: object[]) => runScenario(parseScenario({ name: 'x', steps }), client, ports)

  test('stops at the first step with an unexpected result, and reports it', async () => {
    const report = await play(
      {
        do: 'payments.create',
        with: { amount: 100 },
        expect: { 'payment.status': 'succeeded', 'payment.amount': 100 },
      },
      { do: 'clock.get' },
    )
    expect(report.ok).toBe(false)
    expect(report.steps).toHaveLength(1)
    expect(report.steps[0]?.missed).toEqual([{ path: 'payment.status', expected: 'succeeded', got: 'pending' }])
  })

  const HOLD = { id: 'hold', do: 'faults.add', with: { target: 'webhook', fault: 'hold' } }
  const RELEASE = { do: 'faults.remove', with: { id: ref('hold.id') } }
  const faults = async () => (await client.control.faults.list()).items

  test.each([
    ['a step has an unexpected result', { do: 'payments.get', with: { id: 'pay_0' } }],
    ['a step refers to an unknown field', { do: 'payments.get', with: { id: ref('hold.nothing') } }],
  ])('removes its faults if %s', async (_, step) => {
    await play(HOLD, step, { do: 'clock.get' }, RELEASE).catch(() => {})
    expect(await faults()).toEqual([])
  })

  test('removes its faults if it is aborted during a step', async () => {
    const waiting = { do: 'wait', with: { event: 'payment.succeeded', timeout: '1h' } }
    const scenario = parseScenario({ name: 'x', steps: [HOLD, waiting, RELEASE] })
    const aborted = new AbortController()
    const run = runScenario(scenario, client, { ...ports, signal: aborted.signal })
    await expect.poll(faults).toHaveLength(1)
    aborted.abort()
    await expect(run).rejects.toThrow(/abort/)
    expect(await faults()).toEqual([])
  })

  test('removes its faults if it is aborted', async () => {
    const aborted = new AbortController()
    const scenario = parseScenario({ name: 'x', steps: [HOLD, { do: 'clock.get' }, RELEASE] })
    const onStep = () => aborted.abort()
    await expect(runScenario(scenario, client, { ...ports, onStep, signal: aborted.signal })).rejects.toThrow(/abort/)
    expect(await faults()).toEqual([])
  })

  test('performs no later step after it ended early, and removes its faults', async () => {
    const created = { do: 'payments.create', with: { amount: 100 } }
    await play(HOLD, { do: 'payments.get', with: { id: 'pay_0' } }, created, RELEASE)
    expect([await faults(), (await client.control.lists.payments()).items]).toEqual([[], []])
  })

  test('rejects if the server is unreachable, unless the step expects it', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'))
    const offline = createClient({ fetch, baseUrl: 'http://127.0.0.1', apiKey: DEFAULT_SHOP.api_key })
    const steps = (expect?: object) => parseScenario({ name: 'x', steps: [{ do: 'banks', ...(expect && { expect }) }] })
    await expect(runScenario(steps(), offline, ports)).rejects.toThrow(ConnectionError)
    await expect(runScenario(steps({ 'error.status': 500 }), offline, ports)).rejects.toThrow(ConnectionError)
    expect((await runScenario(steps({ 'error.code': 'unreachable' }), offline, ports)).ok).toBe(true)
  })

  test('rejects soon if the server ends while a step waits for an event', async () => {
    const server = await serve(sandbox)
    const paths: string[] = []
    const online = createClient({
      fetch: (url, init) => fetch(url, init).finally(() => paths.push(new URL(url).pathname)),
      baseUrl: server.url,
      apiKey: DEFAULT_SHOP.api_key,
    })
    const waiting = { do: 'wait', with: { event: 'payment.succeeded', timeout: '1h' } }
    const run = runScenario(parseScenario({ name: 'x', steps: [waiting] }), online, ports)
    await expect.poll(() => paths).toEqual(['/_psp/stream', '/_psp/events'])
    await online.control.health()
    await server.close({ grace_ms: 0 })
    await expect(run).rejects.toThrow(ConnectionError)
  })

  test('leaves no timer behind after it waited for an event', async () => {
    const systemClock = manualSystemClock()
    const { id } = (await client.payments.create({ amount: 100, method: 'sbp' })).payment
    await client.control.act.payment(id, { action: 'pay' })
    const wait = { do: 'wait', with: { event: 'payment.succeeded', where: { id } }, expect: { object_id: id } }
    const scenario = parseScenario({ name: 'x', steps: [wait] })
    expect(await runScenario(scenario, client, { systemClock })).toMatchObject({ ok: true })
    expect(systemClock.waiting()).toBe(0)
  })

  test('removes the faults that no step removes if it is aborted', async () => {
    const aborted = new AbortController()
    const scenario = parseScenario({ name: 'x', steps: [HOLD, { do: 'clock.get' }] })
    const onStep = () => aborted.abort()
    await expect(runScenario(scenario, client, { ...ports, onStep, signal: aborted.signal })).rejects.toThrow(/abort/)
    expect(await faults()).toEqual([])
  })

  test('removes a fault that is being added if it is aborted', async () => {
    const aborted = new AbortController()
    const add: Client['control']['faults']['add'] = async (fault) => {
      const adding = client.control.faults.add(fault)
      await Promise.resolve()
      aborted.abort()
      return await adding
    }
    const own = { ...client, control: { ...client.control, faults: { ...client.control.faults, add } } } as Client
    const scenario = parseScenario({ name: 'x', steps: [HOLD] })
    await expect(runScenario(scenario, own, { ...ports, signal: aborted.signal })).rejects.toThrow(/abort/)
    expect(await faults()).toEqual([])
  })

  test('rejects steps that are nested too deep', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(() => parseScenario({ name: 'x', steps: [{ do: 'clock.get', with: deep }] })).toThrow(
      'scenario: nested more than 64 levels deep.',
    )
  })

  test('reports an error response that the step does not expect', async () => {
    const report = await play({ do: 'payments.get', with: { id: 'nobody' } })
    expect(report.steps[0]?.missed).toEqual([{ path: 'error.code', expected: null, got: 'not_found' }])
    expect((await play({ do: 'payments.get', with: { id: 'nobody' }, expect: { 'error.status': 404 } })).ok).toBe(true)
  })

  test('performs the operations of the dashboard and the store', async () => {
    const hooks = { url: 'http://127.0.0.1:9/hooks' }
    const id = ref('shop.shop_id')
    const report = await play(
      { do: 'health', expect: { status: 'ok' } },
      { id: 'shop', do: 'shops.create', with: { name: 'Seven', endpoints: [hooks] } },
      { do: 'shops.list', with: { limit: 1 }, expect: { 'items.0.name': 'Seven' } },
      { id: 'keys', do: 'keys.list', with: { shop_id: id }, expect: { 'items.length': 1 } },
      { id: 'ends', do: 'endpoints.list', with: { shop_id: id }, expect: { 'items.0.url': hooks.url } },
      { id: 'new', do: 'endpoints.rotate_secret', with: { id: ref('ends.items.0.id') } },
      { do: 'shops.rotate_secret', with: { id, secret: 'signing' } },
      { do: 'shops.rotate_secret', with: { id, secret: 'webhook' } },
      { do: 'shops.rotate_secret', with: { id, secret: 'other' }, expect: { 'error.status': 400 } },
      { do: 'endpoints.delete', with: { id: ref('new.id') } },
      { do: 'endpoints.list', with: { shop_id: id }, expect: { 'items.length': 0 } },
      { do: 'settings.set', with: { buyer: 'manual' } },
      { do: 'settings.origins', expect: { buyer: 'settings' } },
      { do: 'store.snapshot', with: { name: 'seven' } },
      { do: 'store.snapshots', expect: { 'items.0.name': 'seven' } },
      { id: 'all', do: 'store.export' },
      { do: 'store.reset', with: { all: true } },
      { do: 'store.import', with: { state: ref('all') } },
      { do: 'shops.get', with: { id }, expect: { name: 'Seven' } },
      { do: 'store.forget', with: { name: 'seven' } },
      { do: 'store.snapshots', expect: { 'items.length': 0 } },
      { do: 'store.reset', with: { all: true } },
    )
    expect(report.steps.flatMap(({ id, missed }) => missed.map((mismatch) => [id, mismatch]))).toEqual([])
  })

  test('performs actions on payouts and refunds, and changes the speed of the clock', async () => {
    const report = await play(
      { do: 'clock.show', expect: { mode: 'frozen' } },
      { id: 'pay', do: 'payments.create', with: { amount: 100, method: 'sbp' } },
      { do: 'payments.act', with: { id: ref('pay.payment.id'), action: 'pay' } },
      { id: 'back', do: 'payments.refund', with: { id: ref('pay.payment.id'), outcome: 'pending' } },
      {
        do: 'refunds.act',
        with: { id: ref('back.id'), action: 'settle', status: 'failed' },
        expect: { status: 'failed' },
      },
      { do: 'banks.list', expect: { 'items.length': 218 } },
      {
        id: 'out',
        do: 'payouts.create',
        with: { amount: 5, phone: '+79161234567', bank_id: '100000000111', outcome: 'pending' },
      },
      { do: 'payouts.act', with: { id: ref('out.payout.id'), action: 'settle', status: 'succeeded' } },
      { do: 'logs', with: { path: '/nowhere' }, expect: { 'items.length': 0 } },
      { do: 'clock.speed', with: { speed: 60 }, expect: { mode: 'scaled', speed: 60 } },
      { do: 'clock.freeze' },
    )
    expect(report.steps.flatMap(({ id, missed }) => missed.map((mismatch) => [id, mismatch]))).toEqual([])
  })

  test('has the result timed_out if a step waits too long', async () => {
    const report = await play({ do: 'wait', with: { event: 'payment.failed', timeout: '30ms' } })
    expect(report.steps[0]?.missed[0]?.got).toBe('timed_out')
  })

  test('rejects a wait whose timeout is not a duration', async () => {
    const report = await play({ do: 'wait', with: { event: 'payment.failed', timeout: 30 } })
    expect(report.steps[0]?.result).toMatchObject({
      error: { code: 'bad_request', message: 'timeout: expected a duration such as 10s, got "30".' },
    })
  })
})

describe('the document of a scenario', () => {
  test.each([
    [{ steps: [] }, 'name: expected a name'],
    [{ name: 'x', steps: [] }, 'steps: expected at least one step'],
    [{ name: 'x', steps: [{ do: 'payments.crate' }] }, '"payments.crate" (did you mean payments.create?)'],
    [
      { name: 'x', steps: [{ do: 'payments.create', with: { amuont: 1 } }] },
      'steps[0].with.amuont: payments.create has no such field. Its fields are amount,',
    ],
    [{ name: 'x', steps: [{ do: 'banks', with: { limit: 1 } }] }, 'It has no fields.'],
    [
      {
        name: 'x',
        steps: [
          { do: 'banks', id: 'a' },
          { do: 'payments.get', with: { id: ref('b.id') } },
        ],
      },
      `steps[1].with: ${ref('b.id')} does not refer to an earlier step. Earlier steps are a.`,
    ],
    [
      { name: 'x', steps: [{ do: 'payments.get', id: 'a', with: { id: ref('a.id') } }] },
      `steps[0].with: ${ref('a.id')} does not refer to an earlier step.`,
    ],
    [{ name: 'x', steps: [{ do: 'banks', wiht: {} }] }, 'wiht'],
    ...[null, [], 'x', 5].map((fields): [object, string] => [
      { name: 'x', steps: [{ do: 'banks', with: fields }] },
      'steps[0].with: expected an object of fields.',
    ]),
    [
      {
        name: 'x',
        steps: [
          { do: 'banks', id: 'a' },
          { do: 'banks', id: 'b' },
          { do: 'payments.get', with: { id: ref('c.id') } },
        ],
      },
      `steps[2].with: ${ref('c.id')} does not refer to an earlier step. Earlier steps are a, b.`,
    ],
    [
      {
        name: 'x',
        steps: [
          { do: 'banks', id: 'a' },
          { do: 'banks', id: 'a' },
        ],
      },
      'two steps have the id a',
    ],
    [[], 'scenario: expected'],
  ])('is rejected with the invalid part if it is %j', (document, message) => {
    const error = { name: 'ScenarioError', message: expect.stringContaining(message) }
    expect(() => parseScenario(document)).toThrow(expect.objectContaining(error))
  })
})
