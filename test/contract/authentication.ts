// Spec 5 and 8: who may call, from where, how often, and with which signature. The order of the checks is a promise.
import { expect } from 'vitest'
import { signRequest } from '../../src/domain/request-signature.ts'
import { call, createPayment, get, PAYMENTS, post, said } from './caller.ts'
import { section } from './case.ts'
import type { DoorShop } from './door.ts'

const keys = section('5.1')
const live = section('5.2')
const address = section('5.4')
const signature = section('5.5')
const limit = section('8')
const order = section('5')

const BODY = '{"amount":100,"description":"₽ и чай"}'

const signed = (shop: DoorShop, body: string, headers: Record<string, string> = {}) => ({
  key: shop.api_key,
  headers: { 'X-PSP-Signature': signRequest(body, shop.signing_secret), ...headers },
})

export const AUTHENTICATION_CASES = [
  keys('no key, another scheme, a malformed or unknown key: 401 with WWW-Authenticate', async (door) => {
    const { api_key } = door.shop
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
      `Bearer ${door.shop.signing_secret}`,
    ]) {
      const headers = value === undefined ? {} : { Authorization: value }
      const reply = await get(door, '/v1/public/banks/sbp', { key: null, headers })
      expect(said(reply)).toEqual([401, 'unauthorized'])
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  }),
  keys('a revoked key is 401 from the next request on; the other keys of the shop go on', async (door) => {
    const second = await door.arrange.key(door.shop.shop_id, 'test')
    expect((await createPayment(door, {}, { key: second })).status).toBe(201)
    await door.arrange.revoke(second)
    expect(said(await createPayment(door, {}, { key: second }))).toEqual([401, 'unauthorized'])
    expect((await createPayment(door)).status).toBe(201)
  }),
  keys('the scheme is read in any letter case', async (door) => {
    const headers = { Authorization: `bEARER ${door.shop.api_key}` }
    expect((await get(door, '/v1/public/banks/sbp', { key: null, headers })).status).toBe(200)
  }),
  live('a live key is 403 until the merchant is activated', async (door) => {
    const key = await door.arrange.key(door.shop.shop_id, 'live')
    expect(said(await createPayment(door, {}, { key }))).toEqual([403, 'live_not_enabled'])
    await door.arrange.shop({ merchant_id: door.shop.merchant_id, live_enabled: true })
    expect((await createPayment(door, {}, { key })).body.mode).toBe('live')
    expect((await createPayment(door)).body.mode).toBe('test')
  }),
  address('an address that is not in the list is 403; an empty list is no restriction', async (door) => {
    const closed = await door.arrange.shop({ ip_allow_list: ['203.0.113.0/24', '2001:db8::/32'] })
    expect(said(await get(door, PAYMENTS.concat('/1'), { key: closed.api_key }))).toEqual([403, 'ip_not_allowed'])
    const open = await door.arrange.shop({ ip_allow_list: ['127.0.0.0/8', '::1'] })
    expect((await createPayment(door, {}, { key: open.api_key })).status).toBe(201)
  }),
  address('X-Forwarded-For counts only behind trusted proxies, from the right', async (door) => {
    const { api_key } = await door.arrange.shop({ ip_allow_list: ['203.0.113.7'] })
    const from = (forwarded: string) =>
      createPayment(door, {}, { key: api_key, headers: { 'X-Forwarded-For': forwarded } })
    expect((await from('203.0.113.7')).status).toBe(403)
    await door.arrange.settings({ trust_proxy: true })
    expect((await from('203.0.113.7')).status).toBe(201)
    expect((await from('198.51.100.1, 203.0.113.7')).status).toBe(201)
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(403)
    await door.arrange.settings({ trust_proxy: 2 })
    expect((await from('203.0.113.7, 198.51.100.1')).status).toBe(201)
  }),
  signature('a shop that requires it gets signed requests through, under either header name', async (door) => {
    const shop = await door.arrange.shop({ require_signature: true })
    expect(said(await post(door, PAYMENTS, BODY, { key: shop.api_key }))).toEqual([400, 'signature_required'])
    expect((await post(door, PAYMENTS, BODY, signed(shop, BODY))).status).toBe(201)
    const second = { 'X-Service-Signature': signRequest(BODY, shop.signing_secret) }
    expect((await post(door, PAYMENTS, BODY, { key: shop.api_key, headers: second })).status).toBe(201)
    expect((await post(door, PAYMENTS, BODY, signed(shop, BODY, second))).status).toBe(201)
    const other = { 'X-Service-Signature': signRequest('x', shop.signing_secret) }
    expect(said(await post(door, PAYMENTS, BODY, signed(shop, BODY, other)))).toEqual([400, 'invalid_signature'])
  }),
  signature('without a body the empty string is signed', async (door) => {
    const shop = await door.arrange.shop({ require_signature: true })
    const { payment } = (await post(door, PAYMENTS, BODY, signed(shop, BODY))).body
    const path = `${PAYMENTS}/${payment.id}`
    expect(said(await get(door, path, { key: shop.api_key }))).toEqual([400, 'signature_required'])
    expect((await get(door, path, signed(shop, ''))).status).toBe(200)
    expect((await post(door, `${path}/cancel`, undefined, signed(shop, ''))).status).toBe(200)
    expect(said(await get(door, '/v1/public/events', { key: shop.api_key }))).toEqual([400, 'signature_required'])
  }),
  signature('the raw bytes are signed: other JSON of the same meaning does not do', async (door) => {
    const shop = await door.arrange.shop({ require_signature: true })
    const reply = await post(door, PAYMENTS, '{ "amount": 100 }', signed(shop, '{"amount":100}'))
    expect(said(reply)).toEqual([400, 'invalid_signature'])
  }),
  signature('any other form is invalid_signature, never a fault; also where none is required', async (door) => {
    const good = signRequest(BODY, door.shop.signing_secret)
    for (const value of [
      '',
      'sha256=',
      'x',
      good.toUpperCase(),
      good.slice(7),
      `${good}0`,
      `sha256=${'é'.repeat(64)}`,
    ]) {
      const reply = await post(door, PAYMENTS, BODY, { headers: { 'X-PSP-Signature': value } })
      expect(said(reply), value).toEqual([400, 'invalid_signature'])
    }
    expect((await post(door, PAYMENTS, BODY, { headers: { 'X-PSP-Signature': good } })).status).toBe(201)
  }),
  signature('signature_status makes it 401', async (door) => {
    await door.arrange.settings({ signature_status: 401 })
    const shop = await door.arrange.shop({ require_signature: true })
    expect(said(await post(door, PAYMENTS, BODY, { key: shop.api_key }))).toEqual([401, 'signature_required'])
    const wrong = { key: shop.api_key, headers: { 'X-PSP-Signature': 'sha256=0' } }
    expect(said(await post(door, PAYMENTS, BODY, wrong))).toEqual([401, 'invalid_signature'])
  }),
  limit(
    'above the rate limit 429 says when to come back; each merchant has its own',
    async (door) => {
      const slow = await door.arrange.shop({ rate_limit: 1 })
      const other = await door.arrange.shop({ rate_limit: 1 })
      const get1 = (shop: DoorShop) => get(door, '/v1/public/banks/sbp', { key: shop.api_key })
      expect((await get1(slow)).status).toBe(200)
      const reply = await get1(slow)
      expect(said(reply)).toEqual([429, 'rate_limited'])
      expect(reply.headers.get('retry-after')).toBe('1')
      expect((await get1(other)).status).toBe(200)
      expect((await get1(door.shop)).status).toBe(200)
    },
    { lasts: true },
  ),
  order(
    'key, live, address, rate, signature, body: the first that fails answers',
    async (door) => {
      const away = ['203.0.113.1']
      const shop = await door.arrange.shop({ ip_allow_list: away, rate_limit: 1, require_signature: true })
      const { merchant_id } = shop
      const near = await door.arrange.shop({ merchant_id, rate_limit: 1, require_signature: true })
      const liveKey = await door.arrange.key(shop.shop_id, 'live')
      const bad = (key: string | null) => call(door, 'POST', PAYMENTS, { body: 'not json', key })
      expect(said(await bad(null))).toEqual([401, 'unauthorized'])
      expect(said(await bad(liveKey))).toEqual([403, 'live_not_enabled'])
      expect(said(await bad(shop.api_key))).toEqual([403, 'ip_not_allowed'])
      expect(said(await bad(near.api_key))).toEqual([400, 'signature_required'])
      expect(said(await bad(near.api_key))).toEqual([429, 'rate_limited'])
      expect(said(await bad(door.shop.api_key))).toEqual([400, 'bad_request'])
    },
    { lasts: true },
  ),
]
