// The guards that decide who calls: the API key, the request signature and the allow-list, each with its whole error.
import { describe, expect, test } from 'vitest'
import { hashKey } from '../../../src/domain/api-key.ts'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { RefusalError } from '../../../src/domain/errors.ts'
import type { ApiKey, Merchant, Shop } from '../../../src/domain/shop.ts'
import { signRequest } from '../../../src/domain/signatures.ts'
import type { World } from '../../../src/engine/world.ts'
import { peerAddress, requireAllowedIp } from '../../../src/http/guards/ip-allow-list.ts'
import { checkDevelopmentKey, createKeyGuard, requireLive } from '../../../src/http/guards/key.ts'
import { requireSignature } from '../../../src/http/guards/signature.ts'
import { exchange } from './exchange.ts'

/** Returns `code: message` of the error that `act` throws, or `undefined`. */
function refusalOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof RefusalError) return `${error.code}: ${error.message}`
    throw error
  }
}

const KEY = 'sk_test_abc123_secret'
const UNKNOWN = 'unauthorized: The API key is unknown or revoked. `psp keys list` shows the keys of this sandbox.'

describe('the API key', () => {
  const key = { id: 'key', shop_id: 'shp', merchant_id: 'mrc', mode: 'test', hash: hashKey(KEY) } as ApiKey
  const shop = { id: 'shp' } as Shop
  const merchant = { id: 'mrc' } as Merchant

  /** Rows that a test can change between two requests. */
  function guard() {
    const rows: { key: ApiKey | undefined; shop: Shop | undefined; merchant: Merchant | undefined } = {
      key,
      shop,
      merchant,
    }
    const world = {
      find: (_table: string, _index: string, hash: string) => (rows.key?.hash === hash ? [rows.key] : []),
      get: (table: string) => (table === 'shops' ? rows.shop : rows.merchant),
    } as unknown as World
    const authenticate = createKeyGuard(world)
    return { rows, authenticate: (authorization: string) => authenticate(exchange({ headers: { authorization } })) }
  }

  test('a known key identifies its shop, merchant and mode, on every request', () => {
    const { authenticate } = guard()
    const known = { key, shop, merchant, caller: { shop_id: 'shp', mode: 'test' } }
    expect(authenticate(`Bearer ${KEY}`)).toEqual(known)
    expect(authenticate(`Bearer ${KEY}`)).toEqual(known)
  })

  test.each([
    ['revoked', { key: { ...key, revoked_at: 1 } as unknown as ApiKey }],
    ['deleted', { key: undefined }],
    ['without its shop', { shop: undefined }],
    ['without its merchant', { merchant: undefined }],
  ])('a key that is %s is unknown, even if it was valid before', (_, change) => {
    const { rows, authenticate } = guard()
    authenticate(`Bearer ${KEY}`)
    Object.assign(rows, change)
    expect(refusalOf(() => authenticate(`Bearer ${KEY}`))).toBe(UNKNOWN)
  })

  test.each([
    ['', 'unauthorized: Send a valid API key: Authorization: Bearer sk_test_…'],
    ['Basic c2s6', 'unauthorized: Authorization: expected one Bearer token: Authorization: Bearer sk_test_…'],
    [`Bearer ${KEY} x`, 'unauthorized: Authorization: expected one Bearer token: Authorization: Bearer sk_test_…'],
    ...['whs_x', 'thm_x'].map((secret) => [
      `Bearer ${secret}`,
      'unauthorized: Authorization contains a signing secret, not an API key. API keys begin with sk_test_ or sk_live_.',
    ]),
    ...['sk_test_x', 'x_whs_x', 'whs-x'].map((text) => [
      `Bearer ${text}`,
      'unauthorized: The API key is malformed: expected sk_test_ or sk_live_, six characters, _ and the secret part.',
    ]),
    ['Bearer sk_test_abc123_other', UNKNOWN],
  ])('the header %j is refused with the reason', (authorization, refusal) => {
    expect(refusalOf(() => guard().authenticate(authorization as string))).toBe(refusal)
  })

  test.each([
    ['test', false, undefined],
    ['test', true, undefined],
    ['live', true, undefined],
    ['live', false, 'live_not_enabled'],
  ] as const)('a %s key of a merchant with live_enabled %s gets %s', (mode, live_enabled, code) => {
    const caller = { key: { ...key, mode }, shop, merchant: { ...merchant, live_enabled }, caller: {} as never }
    expect(refusalOf(() => requireLive(caller))?.split(':')[0]).toBe(code)
  })
})

describe('the development key', () => {
  const own = { hash: hashKey(KEY) } as ApiKey
  const wellKnown = { hash: hashKey(DEFAULT_SHOP.api_key) } as ApiKey
  const loopback = { host: '127.0.0.1', loopback: true }
  const EXPOSED =
    'unauthorized: The development key is public, so a server that other machines can reach does not accept it. Create a private key with `psp keys create`.'
  const foreign = (host: string) =>
    `forbidden: The Host header is ${JSON.stringify(host)}, and the request comes from a browser. With the development key, web pages may call this server only as localhost or 127.0.0.1.`
  const check = (
    headers: Record<string, string>,
    access = loopback,
    key = wellKnown,
    socket: string | undefined = '::1',
  ) => refusalOf(() => checkDevelopmentKey(exchange({ headers, ...(socket !== undefined && { socket }) }), key, access))

  test('a server that other machines can reach refuses it, and accepts a private key', () => {
    const exposed = { host: '0.0.0.0', loopback: false }
    expect(check({}, exposed)).toBe(EXPOSED)
    expect(check({}, exposed, own)).toBeUndefined()
    expect(refusalOf(() => checkDevelopmentKey(exchange({}), wellKnown, exposed))).toBeUndefined()
  })

  test.each([
    ['origin', 'null'],
    ['referer', ''],
    ['sec-fetch-site', 'none'],
    ['sec-fetch-mode', 'cors'],
    ['user-agent', 'Mozilla/5.0'],
  ])('a request with the header %s: %s comes from a browser', (name, value) => {
    expect(check({ host: 'evil.example', [name]: value })).toBe(foreign('evil.example'))
  })

  test.each(['curl/8', 'x Mozilla/5.0', 'Mozilla'])('a program with the user agent %s may use any host', (agent) => {
    expect(check({ host: 'evil.example', 'user-agent': agent })).toBeUndefined()
  })

  test.each([
    ['localhost:7770', '127.0.0.1', undefined],
    ['shop.localhost', '127.0.0.1', undefined],
    ['[::1]:7770', '127.0.0.1', undefined],
    ['psp:7770', 'psp', undefined],
    ['[fe80::1]', 'fe80::1', undefined],
    ['psp', 'other', foreign('psp')],
    ['', '127.0.0.1', foreign('')],
    ['a b', 'a b', foreign('a b')],
    ['x'.repeat(101), '127.0.0.1', foreign(`${'x'.repeat(79)}…`)],
  ])('a browser that calls %s of a server on %s gets %s', (host, configured, refusal) => {
    expect(check({ host, origin: 'null' }, { ...loopback, host: configured })).toBe(refusal)
  })

  test('a browser without a Host header is refused', () => {
    expect(check({ origin: 'null' })).toBe(foreign(''))
  })
})

describe('the request signature', () => {
  const body = Buffer.from('{"amount":1}')
  const secret = 'thm_secret'
  const good = signRequest(body, secret)
  const other = signRequest('other', secret)
  const MALFORMED =
    'invalid_signature: The request signature is malformed: expected sha256= and 64 lower-case hex digits.'
  const mismatch = (bytes: string) =>
    `invalid_signature: The request signature does not match: expected HMAC-SHA256 over ${bytes}, keyed with the whole thm_… secret.`
  const MISMATCH = mismatch('the 12 bytes of the body as sent')
  const DIFFER = 'invalid_signature: X-PSP-Signature and X-Service-Signature differ. Send one of them.'

  test.each<[first: string | undefined, second: string | undefined, required: boolean, refusal: string | undefined]>([
    [undefined, undefined, false, undefined],
    [undefined, undefined, true, 'signature_required: This shop requires a request signature: send X-PSP-Signature.'],
    [good, undefined, true, undefined],
    [undefined, good, true, undefined],
    [good, good, true, undefined],
    [other, undefined, false, MISMATCH],
    [undefined, other, false, MISMATCH],
    [other, other, false, MISMATCH],
    [good, other, false, DIFFER],
    [other, good, false, DIFFER],
    ['sha256=0', undefined, false, MALFORMED],
    [`${good}0`, undefined, false, MALFORMED],
    [`x${good}`, undefined, false, MALFORMED],
    [undefined, good.toUpperCase(), false, MALFORMED],
    ['', undefined, false, MALFORMED],
  ])('the signatures %j and %j, required %s, get %s', (first, second, require_signature, refusal) => {
    const headers = {
      ...(first !== undefined && { 'x-psp-signature': first }),
      ...(second !== undefined && { 'x-service-signature': second }),
    }
    const shop = { require_signature, signing_secret: secret } as Shop
    expect(refusalOf(() => requireSignature(exchange({ headers }), body, shop))).toBe(refusal)
  })

  test('the reason names the empty string if there is no body', () => {
    const shop = { signing_secret: secret } as Shop
    const call = exchange({ headers: { 'x-psp-signature': good } })
    expect(refusalOf(() => requireSignature(call, Buffer.alloc(0), shop))).toBe(
      mismatch('the empty string (there is no body)'),
    )
  })
})

describe('the address of the caller', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  const refused = (address: string) =>
    `ip_not_allowed: The caller's address ${address} is not in the shop's allow-list.`

  test.each([
    [{ socket: '10.0.0.9' }, '10.0.0.9'],
    [{ socket: null }, undefined],
    [{ address: '10.0.0.8' }, '10.0.0.8'],
    [{}, '127.0.0.1'],
  ])('the call %j comes from %s', (call, address) => {
    expect(peerAddress(exchange(call))).toBe(address)
  })

  test.each([
    [[], '10.0.0.9', 0, undefined],
    [['10.0.0.9'], '10.0.0.9', 0, undefined],
    [['203.0.113.7'], '10.0.0.9', 0, refused('10.0.0.9')],
    [['203.0.113.7'], '10.0.0.9', 1, undefined],
    [['10.0.0.9'], '10.0.0.9', 1, refused('203.0.113.7')],
    [['0.0.0.0/0'], null, 0, refused('(unknown)')],
  ])('the list %j with the socket %s and %i trusted proxies gets %s', (ip_allow_list, socket, hops, refusal) => {
    const call = exchange({ headers: forwarded, socket })
    expect(refusalOf(() => requireAllowedIp(call, { ip_allow_list } as unknown as Shop, hops))).toBe(refusal)
  })
})
