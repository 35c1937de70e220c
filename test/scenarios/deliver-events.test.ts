import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { deferred } from '../../src/domain/promises.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { runScenario } from '../../src/scenarios/run-scenario.ts'
import { parseScenario } from '../../src/scenarios/scenario.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { clientOf } from '../client-of.ts'
import { turns } from '../delivery/fixtures.ts'

const ref = (path: string) => `\${${path}}`

let sandbox: Sandbox
let client: Client
let received: string[]
let inProgress = 0
let mostInProgress = 0
/** Requests that must be in progress before the first response. */
let required = 1

beforeEach(async () => {
  required = 1
  const { promise: enough, resolve } = deferred()
  received = []
  inProgress = 0
  mostInProgress = 0
  sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    endpoints: ['http://127.0.0.1:9/hooks'],
    transport: async (request) => {
      mostInProgress = Math.max(mostInProgress, ++inProgress)
      const { event, data } = JSON.parse(Buffer.from(request.body).toString('utf8'))
      received.push(`${event} ${data.amount_refunded}`)
      if (inProgress >= required) resolve()
      await enough
      await turns()
      inProgress--
      return { status: 200 }
    },
  })
  client = clientOf(sandbox)
})
afterEach(() => sandbox.close({ grace_ms: 0 }))

const HELD = [
  { id: 'hold', do: 'faults.add', with: { target: 'webhook', fault: 'hold' } },
  { id: 'pay', do: 'payments.create', with: { amount: 1000, method: 'sbp', order_id: 'A-1' } },
  { do: 'payments.pay', with: { id: ref('pay.payment.id') } },
  { do: 'payments.refund', with: { id: ref('pay.payment.id'), amount: 300 } },
  { do: 'payments.refund', with: { id: ref('pay.payment.id'), amount: 200 } },
]
const paid = { event: 'payment.succeeded', object_id: ref('pay.payment.id') }
const refunded = (at: number) => ({ event: 'payment.refunded', object_id: ref('pay.payment.id'), at })

const run = (...steps: object[]) =>
  runScenario(parseScenario({ name: 'test', steps }), client, { systemClock: createSystemClock() })

describe('the step `deliver`', () => {
  test('sends held events in the given order', async () => {
    const events = [refunded(1), refunded(0), paid]
    const report = await run(...HELD, { do: 'deliver', with: { events }, expect: { 'items.length': 3 } })
    expect(report.ok).toBe(true)
    expect(received).toEqual(['payment.refunded 500', 'payment.refunded 300', 'payment.succeeded 0'])
  })

  test('sends copies one after another', async () => {
    await run(...HELD, { do: 'deliver', with: { events: [paid], copies: 3 } })
    expect(received).toEqual(['payment.succeeded 0', 'payment.succeeded 0', 'payment.succeeded 0'])
    expect(mostInProgress).toBe(1)
  })

  test('sends events and copies at the same time with `together`', async () => {
    required = 2
    await run(...HELD, { do: 'deliver', with: { events: [paid, refunded(0)], copies: 2, together: true } })
    expect(received.toSorted()).toEqual([
      'payment.refunded 300',
      'payment.refunded 300',
      'payment.succeeded 0',
      'payment.succeeded 0',
    ])
    expect(mostInProgress).toBeGreaterThan(1)
  })

  test('sends an event again that was delivered before', async () => {
    const [, ...open] = HELD
    await run(...open, { id: 'list', do: 'events.list', with: {} }, { do: 'clock.advance', with: { until: 'idle' } })
    const before = received.length
    await run({ id: 'list', do: 'events.list' }, { do: 'deliver', with: { events: [ref('list.items.0.id')] } })
    expect(received).toHaveLength(before + 1)
  })

  test('counts events from the oldest, even if there are more than 100', async () => {
    const event = 'payment.succeeded'
    await client.control.trigger({ event })
    const [oldest] = (await client.control.events.list({ event })).items
    for (let i = 0; i < 100; i++) await client.control.trigger({ event })
    const report = await run({
      do: 'deliver',
      with: { events: [{ event }] },
      expect: { 'items.0.event_id': oldest?.id },
    })
    expect(report.steps[0]?.missed).toEqual([])
  })

  test.each([
    [{ events: [] }, 'events: expected a list of event ids'],
    [{ events: ['evt_1'], copies: 0 }, 'copies: expected an integer from 1 to 100.'],
    [{ events: ['evt_1'], together: 'yes' }, 'together: expected true or false.'],
    [{ events: [{ event: 'payment.expired' }] }, 'There are 0 events payment.expired, so none is number 0.'],
  ])('rejects the fields %j', async (fields, message) => {
    const report = await run({ do: 'deliver', with: fields })
    expect(report.steps[0]?.result).toMatchObject({ error: { message: expect.stringContaining(message) } })
  })
})
