// Spec 5 and 8: API keys, the allow-list, the rate limit, signatures, and the order of these checks.
import { expect } from 'vitest'
import { signRequest } from '../../src/domain/signatures.ts'
import type { AdapterShop } from './adapter.ts'
import { call, createPayment, get, PAYMENTS, post, statusAndCode } from './caller.ts'
import { section } from './case.ts'

const keys = section('5.1')
const live = section('5.2')
const address = section('5.4')
const signature = section('5.5')
const limit = section('8')
const order = section('5')

const BODY = '{"amount":100,"description":"₽ и чай"}'

const signed = (shop: AdapterShop, body: string, headers: Record<string, string> = {}) => ({
  key: shop.api_key,
  headers: { 'X-PSP-Signature': signRequest(body, shop.signing_secret), ...headers },
})

export const AUTHENTICATION_CASES = [
  keys('a missing, malformed or unknown key, or another scheme, is 401 with WWW-Authenticate', async (adapter) => {
    const { api_key } = adapter.shop
    for (const value of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      api_key,
      `Basic ${api_key}`,
      'Bearer sk_test_abcdef',
      'Bearer sk_test_abcdef_unknown',
      'Bearer sk_live_abcdef_unknown',
      `Bearer ${api_key}x`,
      `Bearer ${api_key.toUpperCase()}`,
      `Bearer ${api_key} ${api_key}`,
      `Bearer ${adapter.shop.signing_secret}`,
    ]) {
      const headers = value === undefined ? {} : { Authorization: value }
      const reply = await get(adapter, '/v1/public/banks/sbp', { key: null, headers })
      expect(statusAndCode(reply)).toEqual([401, 'unauthorized'])
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  }),
  keys('a revoked key is 401 from the next request, and other keys of the shop stay valid', async (adapter) => {
    const second = await adapter.arrange.key(adapter.shop.shop_id, 'test')
    expect((await createPayment(adapter, {}, { key: second })).status).toBe(201)
    await adapter.arrange.revoke(second)
    expect(statusAndCode(await createPayment(adapter, {}, { key: second }))).toEqual([401, 'unauthorized'])
    expect((await createPayment(adapter)).status).toBe(201)
  }),
  keys('the scheme can be in any letter case', async (adapter) => {
    const headers = { Authorization: `bEARER ${adapter.shop.api_key}` }
    expect((await get(adapter, '/v1/public/banks/sbp', { key: null, headers })).status).toBe(200)
  }),
  live('a live key is 403 until the merchant is activated', async (adapter) => {
    const key = await adapter.arrange.key(adapter.shop.shop_id, 'live')
    expect(statusAndCode(await createPayment(adapter, {}, { key }))).toEqual([403, 'live_not_enabled'])
    await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id, live_enabled: true })
    expect((await createPayment(adapter, {}, { key })).body.mode).toBe('live')
    expect((await createPayment(adapter)).body.mode).toBe('test')
  }),
  address('an address that is not in the allow-list is 403, and an empty list allows all', async (adapter) => {
    const closed = await adapter.arrange.shop({ ip_allow_list: ['203.0.113.0/24', '2001:db8::/32'] })
    expect(statusAndCode(await get(adapter, PAYMENTS.concat('/1'), { key: closed.api_key }))).toEqual([
      403,
      'ip_not_allowed',
    ])
    const open = await adapter.arrange.shop({ ip_allow_list: ['127.0.0.0/8', '::1'] })
    expect((await createPayment(adapter, {}, { key: open.api_key })).status).toBe(201)
  }),
  address('X-Forwarded-For is read from the right, and only behind trusted proxies', async (adapter) => {
    const { api_key } = await adapter.arrange.shop({ ip_allow_list: ['203.0.113.7'] })
    const from = (forwarded: string) =>
      createPayment(adapter, {}, { key: api_key, headers: { 'X-Forwarded-For': forwarded } })
    expect((await from('203.0.113.7')).status).toBe(403)
    await adapter.arrange.settings({ trust_proxy: true })
    expect((await from('203.0.113.7')).status).toBe(201)
    expect((await from('198.51.100.1, 203.0.113.7')).status).toBe(201)
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(403)
    await adapter.arrange.settings({ trust_proxy: 2 })
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(201)
  }),
  signature('a shop that requires signatures accepts signed requests with either header name', async (adapter) => {
    const shop = await adapter.arrange.shop({ require_signature: true })
    expect(statusAndCode(await post(adapter, PAYMENTS, BODY, { key: shop.api_key }))).toEqual([
      400,
      'signature_required',
    ])
    expect((await post(adapter, PAYMENTS, BODY, signed(shop, BODY))).status).toBe(201)
    const second = { 'X-Service-Signature': signRequest(BODY, shop.signing_secret) }
    expect((await post(adapter, PAYMENTS, BODY, { key: shop.api_key, headers: second })).status).toBe(201)
    expect((await post(adapter, PAYMENTS, BODY, signed(shop, BODY, second))).status).toBe(201)
    const other = { 'X-Service-Signature': signRequest('x', shop.signing_secret) }
    expect(statusAndCode(await post(adapter, PAYMENTS, BODY, signed(shop, BODY, other)))).toEqual([
      400,
      'invalid_signature',
    ])
  }),
  signature('a request without a body signs the empty string', async (adapter) => {
    const shop = await adapter.arrange.shop({ require_signature: true })
    const { payment } = (await post(adapter, PAYMENTS, BODY, signed(shop, BODY))).body
    const path = `${PAYMENTS}/${payment.id}`
    expect(statusAndCode(await get(adapter, path, { key: shop.api_key }))).toEqual([400, 'signature_required'])
    expect((await get(adapter, path, signed(shop, ''))).status).toBe(200)
    expect((await post(adapter, `${path}/cancel`, undefined, signed(shop, ''))).status).toBe(200)
    expect(statusAndCode(await get(adapter, '/v1/public/events', { key: shop.api_key }))).toEqual([
      400,
      'signature_required',
    ])
  }),
  signature('the signature covers the raw bytes, so equivalent JSON is rejected', async (adapter) => {
    const shop = await adapter.arrange.shop({ require_signature: true })
    const reply = await post(adapter, PAYMENTS, '{ "amount": 100 }', signed(shop, '{"amount":100}'))
    expect(statusAndCode(reply)).toEqual([400, 'invalid_signature'])
  }),
  signature('any other signature is invalid_signature, even if none is required', async (adapter) => {
    const good = signRequest(BODY, adapter.shop.signing_secret)
    for (const value of [
      '',
      'sha256=',
      'x',
      good.toUpperCase(),
      good.slice(7),
      `${good}0`,
      `sha256=${'é'.repeat(64)}`,
    ]) {
      const reply = await post(adapter, PAYMENTS, BODY, { headers: { 'X-PSP-Signature': value } })
      expect(statusAndCode(reply), value).toEqual([400, 'invalid_signature'])
    }
    expect((await post(adapter, PAYMENTS, BODY, { headers: { 'X-PSP-Signature': good } })).status).toBe(201)
  }),
  signature('the setting signature_status changes the status to 401', async (adapter) => {
    await adapter.arrange.settings({ signature_status: 401 })
    const shop = await adapter.arrange.shop({ require_signature: true })
    expect(statusAndCode(await post(adapter, PAYMENTS, BODY, { key: shop.api_key }))).toEqual([
      401,
      'signature_required',
    ])
    const wrong = { key: shop.api_key, headers: { 'X-PSP-Signature': 'sha256=0' } }
    expect(statusAndCode(await post(adapter, PAYMENTS, BODY, wrong))).toEqual([401, 'invalid_signature'])
  }),
  limit(
    'a request above the rate limit of its merchant is 429 with Retry-After',
    async (adapter) => {
      const slow = await adapter.arrange.shop({ rate_limit: 1 })
      const other = await adapter.arrange.shop({ rate_limit: 1 })
      const get1 = (shop: AdapterShop) => get(adapter, '/v1/public/banks/sbp', { key: shop.api_key })
      expect((await get1(slow)).status).toBe(200)
      const reply = await get1(slow)
      expect(statusAndCode(reply)).toEqual([429, 'rate_limited'])
      expect(reply.headers.get('retry-after')).toBe('1')
      expect((await get1(other)).status).toBe(200)
      expect((await get1(adapter.shop)).status).toBe(200)
    },
    { needsProcessState: true },
  ),
  order(
    'the checks run in the order key, live mode, address, rate, signature, body',
    async (adapter) => {
      const away = ['203.0.113.1']
      const shop = await adapter.arrange.shop({ ip_allow_list: away, rate_limit: 1, require_signature: true })
      const { merchant_id } = shop
      const near = await adapter.arrange.shop({ merchant_id, rate_limit: 1, require_signature: true })
      const liveKey = await adapter.arrange.key(shop.shop_id, 'live')
      const bad = (key: string | null) => call(adapter, 'POST', PAYMENTS, { body: 'not json', key })
      expect(statusAndCode(await bad(null))).toEqual([401, 'unauthorized'])
      expect(statusAndCode(await bad(liveKey))).toEqual([403, 'live_not_enabled'])
      expect(statusAndCode(await bad(shop.api_key))).toEqual([403, 'ip_not_allowed'])
      expect(statusAndCode(await bad(near.api_key))).toEqual([400, 'signature_required'])
      expect(statusAndCode(await bad(near.api_key))).toEqual([429, 'rate_limited'])
      expect(statusAndCode(await bad(adapter.shop.api_key))).toEqual([400, 'bad_request'])
    },
    { needsProcessState: true },
  ),
]
