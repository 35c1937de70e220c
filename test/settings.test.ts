// Every setting has an effect, applies at once through the control API, and survives a restart. A new setting needs a row.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasBuyer, METHOD_NAMES, METHODS, type Method } from '../src/domain/payment-methods.ts'
import { parseDuration, type SandboxTime } from '../src/domain/time.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../src/sandbox.ts'
import { readSettings, SETTING_NAMES, SETTINGS, type SettingName, settingFromText } from '../src/settings.ts'
import { type Adapter, createArrangement } from './contract/adapter.ts'
import { call, createPayment, createPayout, get, PAYMENTS, post, succeeded } from './contract/caller.ts'
import { receiver } from './delivery/receiver.ts'

interface Row {
  readonly value: unknown
  /** The observation with the default, and with the value. */
  readonly shows: readonly [before: unknown, after: unknown]
  look(door: Adapter): Promise<unknown>
}

const payment = async (door: Adapter, body: object = {}) => (await createPayment(door, body)).body
const status = async (door: Adapter, id: string) => (await get(door, `${PAYMENTS}/${id}`)).body.status
const control = async (door: Adapter, path: string) => (await get(door, `/_psp${path}`, { key: null })).body

/** ms on the sandbox clock between two times of a payment. */
async function between(door: Adapter, id: string, from: string, to: string): Promise<number> {
  const { body } = await get(door, `${PAYMENTS}/${id}`)
  return Date.parse(body[to]) - Date.parse(body[from])
}

const session = (method: Method): Row => ({
  value: '7m',
  shows: [parseDuration(METHODS[method].session_ttl), 7 * 60_000],
  async look(door) {
    const { id, created_at } = (await createPayment(door, { method }, { headers: { 'X-PSP-Simulate': 'pending' } }))
      .body.payment
    await door.arrange.advance(1000)
    const { body } = await get(door, `${PAYMENTS}/${id}`)
    const opened = hasBuyer(method) ? 1000 : 0
    return Date.parse(body.processing_until) - Date.parse(created_at) - opened
  },
})

type SessionRows = { readonly [M in Method as `session_ttl.${M}`]: Row }

function sessions(): SessionRows {
  const rows = METHOD_NAMES.map((method) => [`session_ttl.${method}`, session(method)] as const)
  return Object.fromEntries(rows) as SessionRows
}

/** Sends a webhook to a receiver and returns its delivery. */
async function hooked(door: Adapter, answer: Parameters<typeof receiver>[0] = (response) => response.end()) {
  const hook = await receiver(answer)
  const id = await succeeded(door, { webhook_url: hook.url })
  const { items } = await control(door, `/deliveries?object_id=${id}`)
  return { received: hook.received, delivery: items[0] }
}

/** Reads a stream late. Returns whether it still contains all payments, which exceed its buffer of bytes. */
async function streamed(door: Adapter, payments: number): Promise<'all' | 'some'> {
  const response = await door.fetch('/v1/public/events', { headers: { Authorization: `Bearer ${door.shop.api_key}` } })
  for (let i = 0; i < payments; i++) {
    await payment(door, { order_id: `${'x'.repeat(10_000)}${i}` })
    // Payments of one turn of the event loop are sent together.
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
  const reader = response.body?.getReader()
  let text = ''
  while (!text.includes(`x${payments - 1}"`)) text += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  return text.match(/^event: /gm)?.length === payments ? 'all' : 'some'
}

const ROWS: { readonly [N in SettingName]: Row } = {
  default_outcome: {
    value: 'failed:limit_exceeded',
    shows: ['succeeded', 'failed'],
    look: async (door) => (await payment(door)).simulator,
  },
  magic: {
    value: false,
    shows: ['failed', 'succeeded'],
    look: async (door) => (await payment(door, { amount: 10_051 })).simulator,
  },
  buyer: {
    value: 'manual',
    shows: ['succeeded', 'pending'],
    async look(door) {
      const { id } = (await payment(door)).payment
      await door.arrange.advance(60_000)
      return status(door, id)
    },
  },
  'delays.session': {
    value: '5s',
    shows: [2000, 6000],
    look: async (door) => between(door, await succeeded(door), 'created_at', 'captured_at'),
  },
  'delays.bank': {
    value: '4s',
    shows: [2000, 5000],
    look: async (door) => between(door, await succeeded(door), 'created_at', 'captured_at'),
  },
  'delays.buyer': {
    value: '6s',
    shows: [4000, 8000],
    look: async (door) => between(door, await succeeded(door, { method: 'any' }), 'created_at', 'captured_at'),
  },
  'delays.refund': {
    value: '1s',
    shows: ['succeeded', 'pending'],
    look: async (door) => (await post(door, `${PAYMENTS}/${await succeeded(door)}/refund`)).body.status,
  },
  link_ttl: {
    value: '1h',
    shows: [24 * 3_600_000, 3_600_000],
    look: async (door) => between(door, (await payment(door)).payment.id, 'created_at', 'expires_at'),
  },
  ...sessions(),
  idempotency_ttl: {
    value: '1m',
    shows: [200, 201],
    async look(door) {
      const headers = { 'Idempotency-Key': 'k' }
      await createPayment(door, {}, { headers })
      await door.arrange.advance(60_000)
      return (await createPayment(door, {}, { headers })).status
    },
  },
  naming: {
    value: 'terminal',
    shows: [true, false],
    look: async (door) => Object.hasOwn((await payment(door)).payment, 'shop_id'),
  },
  empty_dates: {
    value: 'null',
    shows: [undefined, null],
    look: async (door) => (await payment(door)).payment.captured_at,
  },
  time_fraction: {
    value: 6,
    shows: ['.000Z', '.000000Z'],
    look: async (door) => /\.\d+Z$/.exec((await payment(door)).payment.created_at)?.[0],
  },
  signature_status: {
    value: 401,
    shows: [400, 401],
    look: async (door) => (await createPayment(door, {}, { headers: { 'X-PSP-Signature': 'x' } })).status,
  },
  strict_body: {
    value: true,
    shows: [201, 400],
    look: async (door) => (await createPayment(door, { amuont: 1 })).status,
  },
  body_limit: {
    value: 1024,
    shows: [201, 413],
    look: async (door) => (await createPayment(door, { description: 'x'.repeat(1024) })).status,
  },
  http_return_url: {
    value: true,
    shows: [400, 201],
    look: async (door) => (await createPayment(door, { return_url: 'http://localhost:3000/' })).status,
  },
  usdt_rate: { value: 100, shows: [18.75, 15], look: async (door) => (await payment(door)).payment.amount_usdt },
  reserve_pending_refunds: {
    value: false,
    shows: [409, 201],
    async look(door) {
      const path = `${PAYMENTS}/${await succeeded(door)}/refund`
      await post(door, path, {}, { headers: { 'X-PSP-Simulate': 'pending' } })
      return (await post(door, path)).status
    },
  },
  unknown_bank: {
    value: 'accept',
    shows: [502, 201],
    look: async (door) => (await createPayout(door, { bank_id: '123456789012' })).status,
  },
  banks: {
    value: 'top30',
    shows: [218, 30],
    look: async (door) => (await get(door, '/v1/public/banks/sbp')).body.items.length,
  },
  webhook_retries: {
    value: ['2s'],
    shows: ['waiting', 'exhausted'],
    async look(door) {
      const { delivery } = await hooked(door, (response) => void response.writeHead(500).end())
      return (await control(door, `/deliveries/${delivery.id}`)).status
    },
  },
  webhook_timeout: {
    value: '50ms',
    shows: [undefined, 'timeout'],
    async look(door) {
      // With the default the response arrives in time; with the value it is late.
      const { delivery } = await hooked(door, (response) => void setTimeout(() => response.end(), 400))
      return / within 50ms/.test(String(delivery.attempts[0].error)) ? 'timeout' : undefined
    },
  },
  webhook_v1: {
    value: 'omit',
    shows: [true, false],
    look: async (door) => String((await hooked(door)).received[0]?.headers['x-psp-signature']).includes(',v1='),
  },
  stream_second: {
    value: 'reject',
    shows: [200, 409],
    async look(door) {
      const open = () => door.fetch('/v1/public/events', { headers: { Authorization: `Bearer ${door.shop.api_key}` } })
      const [first, second] = [await open(), await open()]
      await first.body?.cancel()
      await second.body?.cancel()
      return second.status
    },
  },
  stream_queue: { value: 2, shows: ['all', 'some'], look: (door) => streamed(door, 40) },
  rate_limit: {
    value: 1,
    shows: [200, 429],
    async look(door) {
      await get(door, '/v1/public/banks/sbp')
      return (await get(door, '/v1/public/banks/sbp')).status
    },
  },
  trust_proxy: {
    value: true,
    shows: [403, 201],
    async look(door) {
      const { api_key } = await door.arrange.shop({ ip_allow_list: ['203.0.113.7'] })
      return (await createPayment(door, {}, { key: api_key, headers: { 'X-Forwarded-For': '203.0.113.7' } })).status
    },
  },
  'retention.requests': {
    value: 3,
    shows: [6, 3],
    async look(door) {
      for (let i = 0; i < 6; i++) await payment(door)
      return (await control(door, '/requests?path=/v1/public/payments')).items.length
    },
  },
  'retention.events': {
    value: 2,
    shows: [5, 2],
    async look(door) {
      for (let i = 0; i < 5; i++) await succeeded(door)
      return (await control(door, '/events')).items.length
    },
  },
  'retention.imported': {
    value: 1,
    shows: [201, 400],
    async look(door) {
      const events = ['a', 'b'].map((letter) => ({
        id: `imp_${letter.repeat(24)}`,
        received_at: '2026-05-06T12:00:00Z',
        source: 'a.har entry 1',
        signature: 'missing',
        body: '{"id":"evt_1","event":"payment.succeeded","data":{}}',
      }))
      return (await post(door, '/_psp/imported-events', { events }, { key: null })).status
    },
  },
}

async function opened(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; door: Adapter }> {
  const now = Date.UTC(2026, 4, 6, 12) as SandboxTime
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen', now }, ...options })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  const fetch: Adapter['fetch'] = (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init))
  return { sandbox, door: { fetch, ...createArrangement(sandbox), close: () => sandbox.close() } }
}

const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, ROWS[name].value]))
const patch = (door: Adapter, body: object) => call(door, 'PATCH', '/_psp/settings', { key: null, body })

describe.each(SETTING_NAMES)('%s', (name) => {
  const { value, shows, look } = ROWS[name]

  test(`${name} has an effect with its default ${JSON.stringify(SETTINGS[name].default)}`, async () => {
    expect(await look((await opened()).door)).toEqual(shows[0])
  })

  test(`${name} applies at once when it is changed to ${JSON.stringify(value)} while it runs`, async () => {
    const { door } = await opened()
    expect((await patch(door, { [name]: value })).body[name]).toEqual(value)
    expect(await look(door)).toEqual(shows[1])
  })
})

test('all settings survive a restart, and null restores each default', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'psp-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const first = await opened({ folder })
  await patch(first.door, values)
  await first.sandbox.close()
  const second = await opened({ folder })
  expect(await control(second.door, '/settings')).toEqual(values)
  expect(second.sandbox.engine.world.settings).toEqual(readSettings(values))
  const defaults = await patch(second.door, Object.fromEntries(SETTING_NAMES.map((name) => [name, null])))
  expect(defaults.body).toEqual(Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default])))
})

test.each([
  ['magic', 'off', false],
  ['magic', 'on', true],
  ['reserve_pending_refunds', 'off', false],
  ['strict_body', 'on', true],
  ['rate_limit', 'off', 0],
] as const)('the setting %s accepts %s as %j', async (name, word, value) => {
  const folder = mkdtempSync(join(tmpdir(), 'psp-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { door, sandbox } = await opened({ folder, settings: { [name]: typeof value === 'number' ? 7 : !value } })
  expect((await patch(door, { [name]: word })).body[name]).toBe(value)
  expect(sandbox.engine.world.settings[name]).toBe(value)
  await sandbox.close()
  const later = await opened({ folder })
  expect((await control(later.door, '/settings'))[name]).toBe(value)
  const flagged = await opened({ settings: { [name]: word } })
  expect((await control(flagged.door, '/settings'))[name]).toBe(value)
  const imported = await flagged.door.fetch('/_psp/import', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(await control(later.door, '/export')),
  })
  expect(imported.status).toBe(200)
  expect(readSettings({ [name]: settingFromText(name, word) })[name]).toBe(value)
})

test('an unknown name or an invalid value gets 400 with a suggestion, and changes nothing', async () => {
  const { door } = await opened()
  const unknown = await patch(door, { 'delays.bnk': '1s', buyer: 'manual' })
  expect([unknown.status, unknown.body.error.message]).toEqual([400, expect.stringContaining('delays.bank')])
  const bad = await patch(door, { buyer: 'manual', 'delays.bank': 5 })
  expect([bad.status, bad.body.error.message]).toEqual([400, expect.stringContaining('500ms')])
  expect((await control(door, '/settings')).buyer).toBe('auto')
})
