// Each limit of a shop accepts the last valid value and refuses the first invalid one.
import { expect, test } from 'vitest'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { openSandbox } from './fixtures.ts'

const key = (length: number) => `sk_test_limits_${'x'.repeat(length)}`
const addresses = (count: number) => Array.from({ length: count }, () => '127.0.0.1')

test.each<[field: string, accepted: readonly unknown[], refused: readonly unknown[]]>([
  ['api_key', [key(1), key(256)], [key(0), key(257), 'sk_test_limit_x', 'sk_test_limitss_x']],
  ['signing_secret', ['thm_x', `thm_${'x'.repeat(200)}`], ['thm_', `thm_${'x'.repeat(201)}`, 'thm_ ']],
  ['webhook_secret', ['whs_x', `whs_${'x'.repeat(200)}`], ['whs_', `whs_${'x'.repeat(201)}`, 'whs_ ']],
  ['rate_limit', [0, 1_000_000], [-1, 1_000_001]],
  ['ip_allow_list', [[], addresses(1000)], [addresses(1001)]],
  ['ip_allow_list', [['127.0.0.1/32', '127.0.0.1/0']], [['127.0.0.1/33'], ['127.0.0.1/-1']]],
  ['ip_allow_list', [['::1/128', '::1/0']], [['::1/129']]],
])('a new shop has a valid %s up to each limit', async (field, accepted, refused) => {
  const { post } = await openSandbox()
  for (const value of accepted) {
    const { status, body } = await post('/shops', { [field]: value })
    expect([status, body.error]).toEqual([201, undefined])
  }
  for (const value of refused) {
    const { status, body } = await post('/shops', { [field]: value })
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(new RegExp(`^${field}`))])
  }
})

test('the allow-list of a shop decides which callers it accepts', async () => {
  const { shop, patch, call, sandbox } = await openSandbox({ settings: { trust_proxy: true } })
  await patch(`/shops/${shop}`, { ip_allow_list: ['10.20.30.40/31'] })
  const statusFor = async (address: string) => {
    const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'x-forwarded-for': address }
    return (await call('GET', '/v1/public/banks/sbp', undefined, headers)).status
  }
  expect([await statusFor('10.20.30.41'), await statusFor('10.20.30.42')]).toEqual([200, 403])
})

test('a merchant may send as many requests in one second as its rate limit', async () => {
  const { post, ask } = await openSandbox({ systemClock: manualSystemClock() })
  const { api_key } = (await post('/shops', { rate_limit: 3 })).body
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await ask('GET', '/v1/public/banks/sbp', undefined, api_key)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('the request log contains as many requests as the setting retention.requests', async () => {
  const { get, ask } = await openSandbox({ settings: { 'retention.requests': 2 } })
  const numberOfLogged = async () => {
    await ask('GET', '/v1/public/banks/sbp')
    return (await get('/requests')).body.items.length
  }
  expect([await numberOfLogged(), await numberOfLogged(), await numberOfLogged()]).toEqual([1, 2, 2])
})
