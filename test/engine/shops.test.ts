// Shops, keys, endpoints and settings, as a dashboard changes them: whole rows and whole errors.
import { describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import type { Endpoint, Shop } from '../../src/domain/shop.ts'
import type { Commit } from '../../src/engine/commit.ts'
import { removedFaultTest } from '../../src/engine/consume-faults.ts'
import {
  anyDevelopmentCredentials,
  countFormerDevelopmentSecrets,
  type ReadRows,
} from '../../src/engine/development-secrets.ts'
import { deliveryUrlIssue, refundTotalIssue } from '../../src/engine/row-consistency.ts'
import { START, startWorld } from './bench-world.ts'

const refusal = (code: string, message: string) => expect.objectContaining({ code, message })
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)
const THM = expect.stringMatching(/^thm_\w{32}$/)
const WHS = expect.stringMatching(/^whs_\w{32}$/)

describe('a new shop', () => {
  const shop = {
    id: UUID,
    merchant_id: UUID,
    name: 'Shop',
    created_at: START,
    signing_secret: THM,
    webhook_secret: WHS,
    require_signature: false,
    ip_allow_list: [],
    payout_route: true,
    former_secrets: [],
  }
  const merchant = { id: UUID, name: 'Merchant', created_at: START, live_enabled: false }

  test('has defaults, a new merchant and one test key', () => {
    const { run } = startWorld()
    const made = run('create_shop', {})
    expect(made).toStrictEqual({
      merchant: { ...merchant, id: made.shop.merchant_id },
      shop,
      key: {
        id: expect.stringMatching(/^key_\w{16}$/),
        merchant_id: made.merchant.id,
        shop_id: made.shop.id,
        mode: 'test',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        hint: made.api_key.slice(0, 14),
        created_at: START,
      },
      api_key: expect.stringMatching(/^sk_test_\w{6}_\w{32}$/),
      endpoints: [],
    })
  })

  test('has the given values, and shares the merchant that they name', () => {
    const world = startWorld()
    const given = {
      name: 'Tea',
      require_signature: true,
      ip_allow_list: ['10.0.0.0/8'],
      payout_route: false,
      signing_secret: 'thm_a',
      webhook_secret: 'whs_a',
    }
    const first = world.run('create_shop', { ...given, live_enabled: true, rate_limit: 5, api_key: 'sk_test_abc123_a' })
    expect(first.shop).toStrictEqual({ ...shop, ...given, merchant_id: first.merchant.id })
    expect(first.merchant).toStrictEqual({ ...merchant, name: 'Tea', live_enabled: true, rate_limit: 5 })
    const second = world.run('create_shop', { merchant_id: first.merchant.id, rate_limit: 6, name: 'Other' })
    expect(second.merchant).toStrictEqual({ ...first.merchant, rate_limit: 6 })
    expect(world.engine.world.get('merchants', first.merchant.id)).toStrictEqual(second.merchant)
    const endpoint = { url: 'http://x/', events: ['payout.failed' as const], signature: 'v1' as const }
    const third = world.run('create_shop', { endpoints: [endpoint, { url: 'http://y/', own_secret: false }] })
    const common = { id: expect.stringMatching(/^we_\w{16}$/), merchant_id: third.merchant.id, shop_id: third.shop.id }
    expect(third.endpoints).toStrictEqual([
      { ...common, ...endpoint, active: true, created_at: START, secret: WHS, former_secrets: [] },
      { ...common, url: 'http://y/', events: [], signature: 'v2', active: true, created_at: START, former_secrets: [] },
    ])
  })

  test.each([
    [{ merchant_id: 'x'.repeat(65) }, 'not_found', `merchant_id: there is no merchant ${'x'.repeat(64)}.`],
    [{ api_key: 'sk_test_abc123_taken' }, 'not_allowed', 'api_key: this key exists already; keys are unique.'],
    [
      { api_key: 'sk_test_x' },
      'bad_request',
      'api_key: the format is sk_test_<6 characters>_<secret> or sk_live_<6 characters>_<secret>.',
    ],
    [{ signing_secret: 'x' }, 'bad_request', expect.stringMatching(/^signing_secret: .*thm_/)],
    [{ webhook_secret: 'x' }, 'bad_request', expect.stringMatching(/^webhook_secret: .*whs_/)],
    [{ ip_allow_list: ['::1', 'x'] }, 'bad_request', expect.stringMatching(/^ip_allow_list: "x" is not an address/)],
  ])('is refused with the reason if it has %j', (input, code, message) => {
    const world = startWorld()
    world.run('create_key', { shop_id: world.shop.id, mode: 'test', api_key: 'sk_test_abc123_taken' })
    const before = world.log.lastLine
    expect(() => world.run('create_shop', input)).toThrow(refusal(code, message))
    expect(world.log.lastLine).toBe(before)
  })
})

describe('a change of a shop', () => {
  test('concerns the merchant only if it has a field of the merchant', () => {
    const world = startWorld()
    const { shop, merchant, run } = world
    const change = { name: 'New', require_signature: true }
    const later = run('update_shop', { shop_id: shop.id.toUpperCase(), change })
    expect(later).toStrictEqual({ ...shop, ...change })
    expect(world.log.commits.at(-1)?.puts.map(({ table }) => table)).toEqual(['shops'])
    expect(run('update_shop', { shop_id: shop.id, change: { rate_limit: 3 } })).toStrictEqual(later)
    expect(world.engine.world.get('merchants', merchant.id)).toStrictEqual({ ...merchant, rate_limit: 3 })
    run('update_shop', { shop_id: shop.id, change: { live_enabled: true } })
    expect(world.engine.world.get('merchants', merchant.id)).toMatchObject({ rate_limit: 3, live_enabled: true })
    const wrong = { shop_id: shop.id, change: { ip_allow_list: ['x'] } }
    expect(() => run('update_shop', wrong)).toThrow(/^ip_allow_list: /)
    expect(() => run('update_shop', { shop_id: 'none', change })).toThrow(
      refusal('not_found', 'There is no shop none.'),
    )
  })

  test('keeps the last ten secrets of a kind, newest first, if it rotates them', () => {
    const { shop, run } = startWorld()
    const rotate = (secret: 'signing' | 'webhook') => run('rotate_shop_secret', { shop_id: shop.id, secret })
    const signing = [shop.signing_secret]
    const webhook = [shop.webhook_secret]
    let last: Shop = shop
    for (let n = 0; n < 11; n++) {
      last = rotate('signing')
      signing.unshift(last.signing_secret)
      last = rotate('webhook')
      webhook.unshift(last.webhook_secret)
    }
    expect([new Set(signing).size, new Set(webhook).size]).toEqual([12, 12])
    expect(last).toStrictEqual({
      ...shop,
      signing_secret: signing[0],
      webhook_secret: webhook[0],
      former_signing_secrets: signing.slice(1, 11),
      former_secrets: webhook.slice(1, 11),
    })
    expect([signing.every((secret) => secret.startsWith('thm_')), webhook[0]]).toEqual([true, WHS])
  })
})

test('a key is revoked once, at the time of the first call', () => {
  const world = startWorld()
  const { key } = world.run('create_key', { shop_id: world.shop.id, mode: 'live' })
  expect(key.mode).toBe('live')
  world.at(5)
  const revoked = world.run('revoke_key', { key_id: key.id })
  expect(revoked).toStrictEqual({ ...key, revoked_at: START + 5 })
  world.at(5)
  expect(world.run('revoke_key', { key_id: key.id })).toStrictEqual(revoked)
})

describe('an endpoint', () => {
  test('keeps its last ten secrets if it is rotated, and gets its first one', () => {
    const { shop, run } = startWorld()
    const create = (more: object) => run('create_endpoint', { shop_id: shop.id, input: { url: 'http://x/', ...more } })
    const rotate = (endpoint_id: string) => run('rotate_endpoint_secret', { endpoint_id })
    let endpoint: Endpoint = create({})
    const secrets = [endpoint.secret]
    for (let n = 0; n < 11; n++) {
      endpoint = rotate(endpoint.id)
      secrets.unshift(endpoint.secret)
    }
    expect([endpoint.secret, endpoint.former_secrets]).toEqual([secrets[0], secrets.slice(1, 11)])
    const shared = create({ own_secret: false })
    expect(rotate(shared.id)).toStrictEqual({ ...shared, secret: WHS, former_secrets: [] })
  })

  test('gets one attempt of a signed sample if it is tested', () => {
    const world = startWorld()
    const { shop, run } = world
    const { id, url } = run('create_endpoint', { shop_id: shop.id, input: { url: 'http://x/' } })
    const delivery = run('test_endpoint', { endpoint_id: id })
    const [event] = world.events()
    expect(delivery).toStrictEqual({
      id: expect.stringMatching(/^dlv_\w{20}$/),
      event_id: event?.id,
      event: 'payment.succeeded',
      object_id: event?.object_id,
      merchant_id: shop.merchant_id,
      shop_id: shop.id,
      url,
      endpoint_id: id,
      no_retries: true,
      status: 'waiting',
      created_at: START,
      next_attempt_at: START,
      attempts: [],
    })
    const { body, ...head } = event ?? { body: '{}' }
    expect(head).toStrictEqual({
      id: expect.stringMatching(/^evt_\w{24}$/),
      event: 'payment.succeeded',
      created_at: START,
      merchant_id: shop.merchant_id,
      shop_id: shop.id,
      object_id: UUID,
    })
    expect(JSON.parse(body)).toEqual({
      id: event?.id,
      event: 'payment.succeeded',
      created_at: '2026-05-06T12:00:00.000Z',
      data: expect.objectContaining({
        id: event?.object_id,
        merchant_id: shop.merchant_id,
        order_id: `ord_${START}`,
        amount: 10_000,
        amount_refunded: 0,
        amount_usdt: 1.25,
        currency: 'RUB',
        method: 'sbp',
        status: 'succeeded',
        captured_at: '2026-05-06T12:00:00.000Z',
        metadata: { sample: 'true', mode: 'test' },
        refunds: [],
      }),
    })
    expect(world.engine.world.size('payments')).toBe(0)
  })

  test('takes its waiting deliveries, and no other, to a new URL', () => {
    const world = startWorld()
    const { shop, run } = world
    const [first, second] = ['http://a/', 'http://b/'].map((url) =>
      run('create_endpoint', { shop_id: shop.id, input: { url } }),
    )
    const events = () => run('test_endpoint', { endpoint_id: first?.id ?? '' })
    const [waiting, done] = [events(), events()]
    const other = run('test_endpoint', { endpoint_id: second?.id ?? '' })
    const attempt = { number: 1, at: START, sent_at: START as never, ms: 1, request_headers: [] }
    const delivered = run('record_attempt', { delivery_id: done.id, attempt, delivered: true })
    const rowOf = (id: string) => world.engine.world.get('deliveries', id)
    const before = world.log.commits.length
    run('update_endpoint', { endpoint_id: first?.id ?? '', change: { events: ['payout.failed'] } })
    expect(world.log.commits[before]?.puts).toHaveLength(1)
    run('update_endpoint', { endpoint_id: first?.id ?? '', change: { url: 'http://c/' } })
    expect([rowOf(waiting.id), rowOf(done.id), rowOf(other.id)]).toEqual([
      { ...waiting, url: 'http://c/' },
      delivered,
      other,
    ])
    run('update_endpoint', { endpoint_id: first?.id ?? '', change: { active: false, url: 'http://d/' } })
    const { next_attempt_at, ...cancelled } = waiting
    expect(rowOf(waiting.id)).toStrictEqual({ ...cancelled, url: 'http://c/', status: 'cancelled' })
    expect(world.timers().map(({ object_id }) => object_id)).toEqual([other.id])
    run('update_endpoint', { endpoint_id: first?.id ?? '', change: { active: false } })
    run('delete_endpoint', { endpoint_id: second?.id ?? '' })
    expect([rowOf(other.id)?.status, world.timers(), world.engine.world.get('endpoints', second?.id ?? '')]).toEqual([
      'cancelled',
      [],
      undefined,
    ])
  })
})

describe('a listener', () => {
  const options = { url: 'http://x/', events: [], signature: 'v2' } as const

  test('is opened with its options, and keeps its creation and shop if it is opened again', () => {
    const world = startWorld()
    const { shop, run } = world
    const first = run('open_listener', { shop_id: shop.id, ...options })
    expect(first).toStrictEqual({
      id: expect.stringMatching(/^lst_\w{16}$/),
      merchant_id: shop.merchant_id,
      shop_id: shop.id,
      created_at: START,
      former_secrets: [],
      listener: true,
      ...options,
      active: true,
    })
    world.at(5)
    const change = { url: 'http://y/', events: ['payout.failed'], signature: 'v1' } as const
    expect(run('open_listener', { shop_id: shop.id, id: first.id, ...change })).toStrictEqual({ ...first, ...change })
    expect(run('open_listener', { shop_id: shop.id, id: 'mine', ...options }).id).toBe('mine')
  })

  test('cannot take the id of an endpoint, or of a listener of another shop', () => {
    const { shop, run } = startWorld()
    const other = run('create_shop', {}).shop
    const endpoint = run('create_endpoint', { shop_id: shop.id, input: { url: 'http://x/' } })
    const listener = run('open_listener', { shop_id: other.id, ...options })
    for (const { id } of [endpoint, listener]) {
      const error = refusal('not_allowed', `id: ${id} is not a listener of this shop.`)
      expect(() => run('open_listener', { shop_id: shop.id, id, ...options })).toThrow(error)
    }
  })

  test('gets in a backfill the events of its shop and selection that it has not received', () => {
    const world = startWorld()
    const { shop, run } = world
    const other = run('create_shop', {}).shop
    const succeed = (input: object = {}, shop_id = shop.id) => {
      const caller = { shop_id, mode: 'test' as const }
      const { object } = run('create_payment', {
        caller,
        input: { amount: 100, currency: 'RUB', method: 'sbp', metadata: {}, ...input },
      })
      run('act_on_payment', { payment_id: object.id, act: { action: 'pay' } })
      return object.id
    }
    const open = (id: string, backfill?: number, events: 'payment.succeeded'[] = []) => {
      const seen = new Set([...world.engine.world.rows('deliveries')].map((row) => row.id))
      run('open_listener', { shop_id: shop.id, id, ...options, events, ...(backfill !== undefined && { backfill }) })
      const made = [...world.engine.world.rows('deliveries')].filter((row) => !seen.has(row.id))
      expect(
        made.every(
          ({ in_backlog, endpoint_id, url }) => in_backlog === true && endpoint_id === id && url === 'http://x/',
        ),
      ).toBe(true)
      return made.map(({ event, object_id }) => `${event} ${object_id}`)
    }
    const early = succeed()
    world.at(1)
    const first = succeed()
    succeed({}, other.id)
    succeed({ webhook_url: 'http://own/' })
    run('refund_payment', { caller: world.caller, payment_id: first, amount: 1 })
    world.at(10)
    expect(open('none')).toEqual([])
    expect(open('all', 10)).toEqual([`payment.succeeded ${first}`, `payment.refunded ${first}`])
    expect(open('all', 11)).toEqual([`payment.succeeded ${early}`])
    expect(open('some', 11, ['payment.succeeded'])).toEqual([
      `payment.succeeded ${early}`,
      `payment.succeeded ${first}`,
    ])
    run('delete_endpoint', { endpoint_id: 'some' })
    expect(open('some', 10, ['payment.succeeded'])).toEqual([`payment.succeeded ${first}`])
  })
})

describe('development secrets', () => {
  const { api_key, signing_secret, webhook_secret } = DEFAULT_SHOP
  const reader =
    (world: ReturnType<typeof startWorld>): ReadRows =>
    (table) =>
      world.engine.world.rows(table)

  test.each([
    [{ signing_secret }, true],
    [{ webhook_secret }, true],
    [{ api_key }, true],
    [{}, false],
  ])('a shop with %j has public credentials: %s', (input, isPublic) => {
    const world = startWorld()
    const { key } = world.run('create_shop', input)
    expect(anyDevelopmentCredentials(reader(world))).toBe(isPublic)
    if (!('api_key' in input)) return
    world.run('revoke_key', { key_id: key.id })
    expect(anyDevelopmentCredentials(reader(world))).toBe(false)
  })

  test('former development secrets are counted and forgotten, and private ones are kept', () => {
    const world = startWorld()
    const { shop } = world.run('create_shop', { signing_secret, webhook_secret })
    const endpoint = world.run('create_endpoint', { shop_id: shop.id, input: { url: 'http://x/' } })
    const put = (table: 'endpoints', row: Endpoint) =>
      world.log.append(START, 'x', { clear: [], deletes: [], puts: [{ table, row }], stream: [], result: null })
    put('endpoints', { ...endpoint, secret: webhook_secret })
    expect(anyDevelopmentCredentials((table) => (table === 'endpoints' ? reader(world)(table) : []))).toBe(true)
    for (const secret of ['signing', 'webhook', 'webhook'] as const) {
      world.run('rotate_shop_secret', { shop_id: shop.id, secret })
    }
    world.run('rotate_endpoint_secret', { endpoint_id: endpoint.id })
    expect([countFormerDevelopmentSecrets(reader(world)), anyDevelopmentCredentials(reader(world))]).toEqual([3, false])
    const before = world.engine.world.get('shops', shop.id)
    world.run('forget_development_secrets', {})
    expect(countFormerDevelopmentSecrets(reader(world))).toBe(0)
    expect(world.engine.world.get('shops', shop.id)).toStrictEqual({
      ...before,
      former_signing_secrets: [],
      former_secrets: before?.former_secrets.slice(0, 1),
    })
    expect(world.engine.world.get('endpoints', endpoint.id)?.former_secrets).toEqual([])
    const commits = world.log.commits.length
    world.run('forget_development_secrets', {})
    expect(world.log.commits).toHaveLength(commits)
  })
})

test('settings are merged, null restores a default, and a wrong value changes nothing', () => {
  const world = startWorld()
  const change = (values: Record<string, unknown>, more: object = {}) =>
    world.run('change_settings', { values: values as never, ...more })
  const stored = () => world.engine.world.get('state', 'settings')
  change({ buyer: 'manual', magic: false })
  expect(world.log.commits.at(-1)?.overrides).toEqual(['buyer', 'magic'])
  change({ magic: null }, { keepRunSettings: true })
  expect(world.log.commits.at(-1)).not.toHaveProperty('overrides')
  expect(stored()).toEqual({ id: 'settings', values: { buyer: 'manual' } })
  for (const [values, message] of [
    [{ default_outcome: 'fail' }, /^default_outcome: expected a plan \(.*\), got "fail"$/],
    [{ byer: 'manual' }, /byer/],
    [{ byer: null }, /byer/],
  ] as const) {
    expect(() => change(values)).toThrow(refusal('bad_request', expect.stringMatching(message)))
  }
  expect(stored()).toEqual({ id: 'settings', values: { buyer: 'manual' } })
})

test('removed faults are those that a commit deletes, or all if it clears them', () => {
  const removed = (change: Partial<Commit>) =>
    removedFaultTest({ clear: [], deletes: [], puts: [], stream: [], result: null, ...change })
  expect(removed({})).toBeUndefined()
  expect(removed({ clear: ['rules'], deletes: [{ table: 'rules', id: 'a' }] })).toBeUndefined()
  const some = removed({
    deletes: [
      { table: 'rules', id: 'a' },
      { table: 'faults', id: 'b' },
    ],
  })
  expect(['a', 'b', 'c'].map((id) => some?.(id))).toEqual([false, true, false])
  expect(removed({ clear: ['faults'] })?.('any')).toBe(true)
})

test.each([
  [100, [], undefined],
  [101, [], 'expected at most the amount, 100, or the sum of its refunds, 0, got 101'],
  [101, [60, 40], 'expected at most the amount, 100, or the sum of its refunds, 100, got 101'],
  [101, [60, 41], undefined],
])('a stored total of %i for the refunds %j has the issue %s', (amount_refunded, amounts, issue) => {
  const own = amounts.map((amount) => ({ payment_id: 'p', status: 'succeeded', amount }))
  const others = [
    { payment_id: 'q', status: 'succeeded', amount: 500 },
    { payment_id: 'p', status: 'failed', amount: 500 },
  ]
  const payment = { id: 'p', amount: 100, amount_refunded }
  expect(refundTotalIssue(payment as never, [...own, ...others] as never)).toBe(issue)
})

test.each([
  [undefined, undefined, true],
  ['we', {}, true],
  ['we', undefined, false],
  ['lst', { listener: true }, false],
])('the URL of a delivery to the endpoint %s, which is %j, must be valid: %s', (endpoint_id, endpoint, isChecked) => {
  const issue = 'expected an absolute http or https URL without user name and password'
  expect(deliveryUrlIssue({ url: 'x', endpoint_id }, endpoint as never)).toBe(isChecked ? issue : undefined)
  expect(deliveryUrlIssue({ url: 'http://x/', endpoint_id }, endpoint as never)).toBeUndefined()
})
