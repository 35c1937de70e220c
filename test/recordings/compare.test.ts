import { beforeAll, describe, expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { type RecordedCall, recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { type Plant, recordSandbox, type Shop, startReplaySandbox } from './recorded-sandbox.ts'
import { shopTraffic } from './shop-traffic.ts'

const COMPARISON = {
  start: startReplaySandbox,
  systemClock: createSystemClock(),
  mask: createMasking({ key: Buffer.alloc(32, 7) }),
}

const compare = (calls: readonly RecordedCall[], settings = {}) => compareRecording({ ...COMPARISON, calls, settings })

test('between equal sandboxes there is no difference over 500 exchanges', async () => {
  const { calls } = await recordSandbox({}, (shop, other, live) => shopTraffic(shop, other, live, 8))
  const { differences, compared, skipped } = await compare(calls)
  expect(differences).toEqual([])
  expect(skipped).toEqual([])
  expect(compared).toBeGreaterThan(500)
}, 180_000)

/** Settings of the second sandbox, with the difference that each one makes. */
const PLANTED_SETTINGS = {
  naming: ['shop', 'added', 'payment.terminal_id'],
  empty_dates: ['null', 'missing', 'payment.captured_at'],
  time_fraction: [6, 'format', 'payment.created_at'],
  signature_status: [401, 'status', ''],
  strict_body: [true, 'status', ''],
  http_return_url: [true, 'status', ''],
  body_limit: [4096, 'status', ''],
  usdt_rate: [92.5, 'value', 'payment.amount_usdt'],
  reserve_pending_refunds: [false, 'status', ''],
  unknown_bank: ['bank_unknown', 'status', ''],
  banks: ['top30', 'length', 'items'],
  stream_second: ['reject', 'status', ''],
  idempotency_ttl: ['4s', 'status', ''],
  link_ttl: ['1h', 'value', 'payment.expires_at'],
  'session_ttl.sbp': ['10m', 'value', 'processing_until'],
} as const

/** Other differences, which the server between the proxy and the sandbox makes. */
const PLANTED_RESPONSES = [
  ['missing', 'receipt_url'],
  ['added', 'bank_name'],
  ['type', 'amount_refunded'],
  ['format', 'merchant_id'],
  ['value', 'method'],
  ['status', ''],
  ['error_code', 'error.code'],
  ['header', 'www-authenticate'],
  ['order', 'payment.status_changed before refund.created'],
  ['added', 'payload.currency'],
] as const

/** Requests that only some services treat alike. */
async function edgeCases(shop: Shop): Promise<void> {
  await shop.call('POST', 'payments', { amount: 100, colour: 'red' })
  await shop.call('POST', 'payments', { amount: 100, return_url: 'http://localhost:3000/back' })
  await shop.call('POST', 'payments', { amount: 100, description: 'x'.repeat(5000) })
  const payout = { amount: 100, phone: '+79161234567', bank_id: '999999999999' }
  const { id } = await shop.call('POST', 'payouts', payout)
  await shop.until(`payouts/${id}`, 'failed')
  const stream = await shop.stream()
  await shop.call('GET', 'events')
  stream.close()
  const made = await shop.call('POST', 'payments', { amount: 1000, method: 'sbp' })
  const path = `payments/${made.id}`
  await shop.until(path, 'succeeded')
  const pending = { headers: { 'X-PSP-Simulate': 'pending' } }
  await shop.call('POST', `${path}/refund`, { amount: 700 }, pending)
  await shop.call('POST', `${path}/refund`, { amount: 700 }, pending)
  await shop.call('POST', 'payments', { amount: 1 }, { key: 'late' })
  await new Promise((done) => setTimeout(done, 4100))
  await shop.call('POST', 'payments', { amount: 1 }, { key: 'late' })
}

function planting(): Plant {
  let held = ''
  return ({ method, url = '' }, body, response) => {
    if (body.startsWith('event: ')) {
      const changed = body.includes('payment.created') ? body.replace(/,"currency":"RUB"/, '') : body
      if (body.startsWith('event: refund.created') && body.includes('"amount":5000,')) {
        held = changed
        return ''
      }
      const after = held !== '' && body.includes('"refunded"') ? held : ''
      if (after !== '') held = ''
      return changed + after
    }
    if (response.statusCode === 401) response.removeHeader('www-authenticate')
    if (url.endsWith('/cancel') && response.statusCode === 409) response.statusCode = 422
    if (method === 'GET' && url.includes('/payments/')) {
      return body
        .replace('"not_found"', '"payment_not_found"')
        .replace(/"refunds":/, '"receipt_url":"https://a.example/r","refunds":')
        .replace(/"bank_name":"[^"]*",/, '')
        .replace(/"amount_refunded":(\d+)/, '"amount_refunded":"$1"')
    }
    if (url.includes('/refund')) return body.replace(/"merchant_id":"[^"]*"/, '"merchant_id":"m_1"')
    return url.includes('/payouts') ? body.replace('"payouts_sbp"', '"sbp"') : body
  }
}

test('all of 25 planted differences are found, and each setting among them is proposed', async () => {
  const settings = Object.fromEntries(Object.entries(PLANTED_SETTINGS).map(([name, [value]]) => [name, value]))
  const { calls } = await recordSandbox(
    settings,
    async (shop, other, live) => {
      await shopTraffic(shop, other, live, 1)
      await edgeCases(shop)
    },
    planting(),
  )
  const { differences, proposals, remaining } = await compare(calls)
  const planted = [
    ...Object.entries(PLANTED_SETTINGS).map(([setting, [, kind, at]]) => ({ setting, kind, at })),
    ...PLANTED_RESPONSES.map(([kind, at]) => ({ setting: undefined, kind, at })),
  ]
  const missed = planted.filter(
    ({ setting, kind, at }) =>
      !differences.some((found) => found.kind === kind && found.at.endsWith(at) && found.setting === setting),
  )
  expect(planted).toHaveLength(25)
  expect(missed).toEqual([])
  // The recording shows only that the key was forgotten after 4.1 s, or more on a busy machine.
  const proposed = { ...settings, idempotency_ttl: expect.stringMatching(/^\d+s$/) }
  expect(Object.fromEntries(proposals.map(({ setting, value }) => [setting, value]))).toEqual(proposed)
  const isPlanted = (found: { readonly kind: string; readonly at: string }) =>
    PLANTED_RESPONSES.some(([kind, at]) => found.kind === kind && found.at.endsWith(at))
  const left = await compare(calls, settings)
  expect(left.differences.filter((found) => !isPlanted(found))).toEqual([])
  expect(left.differences).toHaveLength(remaining)
  expect(left.proposals).toEqual([])
}, 180_000)

test('payments that expired in the recording expire in the sandbox, and the lifetimes are proposed', async () => {
  const settings = { 'session_ttl.tpay': '1s', link_ttl: '2s' }
  const { calls } = await recordSandbox(settings, async (shop) => {
    const stream = await shop.stream()
    const made = await Promise.all(
      ['pending', 'requires_action'].map((plan) =>
        shop.call('POST', 'payments', { amount: 100, method: 'tpay' }, { headers: { 'X-PSP-Simulate': plan } }),
      ),
    )
    await Promise.all(made.map(({ id }) => shop.until(`payments/${id}`, 'expired')))
    stream.close()
  })
  expect((await compare(calls, settings)).differences).toEqual([])
  const { proposals, remaining } = await compare(calls)
  expect(Object.fromEntries(proposals.map(({ setting, value }) => [setting, value]))).toEqual(settings)
  expect(remaining).toBe(0)
}, 180_000)

test('each value of a setting is tried once, even if several differences suggest it', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    for (let made = 0; made < 3; made++) await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
  })
  const tried: unknown[] = []
  await compareRecording({
    ...COMPARISON,
    calls: entries.flatMap((entry, at) => recordedCall(withLinkLifetime(entry, at < 2 ? 1 : 2), at + 1) ?? []),
    settings: {},
    start(options) {
      tried.push(options.settings['link_ttl'])
      return startReplaySandbox(options)
    },
  })
  expect(tried).toEqual([undefined, '1h', '2h'])
}, 180_000)

function withLinkLifetime(entry: HarEntry, hours: number): HarEntry {
  const { response } = entry
  const { payment, ...rest } = JSON.parse(response.content.text ?? '')
  const expires_at = new Date(Date.parse(payment.created_at) + hours * 3_600_000).toISOString()
  const text = JSON.stringify({ ...rest, payment: { ...payment, expires_at } })
  return { ...entry, response: { ...response, content: { ...response.content, text } } }
}

describe('a recording without its first exchanges', () => {
  let calls: readonly RecordedCall[]
  beforeAll(async () => {
    calls = (await recordSandbox({}, (shop, other, live) => shopTraffic(shop, other, live, 1))).calls
  }, 180_000)

  test.each([4, 9, 12, 15, 20])(
    'does not differ if %i are missing',
    async (count) => {
      const { differences } = await compare(calls.filter(({ number }) => number > count))
      expect(differences).toEqual([])
    },
    180_000,
  )
})

test('a live key of another form gets a live key of the sandbox', async () => {
  const { entries } = await recordSandbox({}, async (_, __, live) => {
    const { id } = await live.call('POST', 'payments', { amount: 100, method: 'sbp' })
    await live.until(`payments/${id}`, 'succeeded')
  })
  const text = JSON.stringify(entries).replaceAll(/sk_live_\w+\*{3}/g, '***')
  expect(text).toContain('Bearer ***')
  const calls = JSON.parse(text).flatMap(
    (entry: (typeof entries)[number], at: number) => recordedCall(entry, at + 1) ?? [],
  )
  expect((await compare(calls)).differences).toEqual([])
}, 180_000)
