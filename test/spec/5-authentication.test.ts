// Spec 5: keys, request signatures and the allow-list, as rules without a server.
import { describe, expect, test } from 'vitest'
import { bearerToken, formatKey, hashKey, parseKey } from '../../src/domain/api-key.ts'
import { allowListEntryIssue, clientIp, isAllowed } from '../../src/domain/ip-allow-list.ts'
import { checkRequestSignature, signRequest } from '../../src/domain/signatures.ts'

describe('5.1 API keys', () => {
  test.each(['test', 'live'] as const)('a %s key has a prefix of 6 characters and a secret', (mode) => {
    const key = formatKey(mode, 'aB3dE6', 'x'.repeat(32))
    expect(key).toBe(`sk_${mode}_aB3dE6_${'x'.repeat(32)}`)
    expect(parseKey(key)).toEqual({ mode, hint: `sk_${mode}_aB3dE6` })
  })

  test('the secret of a key can contain underscores', () => {
    expect(parseKey('sk_test_abcdef_a_b_c')?.hint).toBe('sk_test_abcdef')
  })

  test.each([1, 256])('the secret of a key can have %i characters', (length) => {
    expect(parseKey(`sk_test_abcdef_${'x'.repeat(length)}`)?.hint).toBe('sk_test_abcdef')
  })

  test.each([
    '',
    'sk_test_abcdef',
    'sk_test_abcdef_',
    'sk_test_abcde_x',
    'sk_test_abcdefg_x',
    'sk_prod_abcdef_x',
    'SK_test_abcdef_x',
    'sk_test_abcdef_x\n',
    'sk_test_abcdef_ключ',
    `sk_test_abcdef_${'x'.repeat(257)}`,
  ])('the text %j is not a key', (text) => {
    expect(parseKey(text)).toBeUndefined()
  })

  test('a key is stored as its SHA-256', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test.each([
    ['Bearer sk_test_abcdef_x', 'sk_test_abcdef_x'],
    ['bearer sk', 'sk'],
    ['BEARER   sk ', 'sk'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearer a b', undefined],
    ['Basic c2s6', undefined],
    ['sk_test_abcdef_x', undefined],
    ['Bearer ключ', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the token of Authorization %j is %j', (header, token) => {
    expect(bearerToken(header)).toBe(token)
  })
})

describe('5.5 request signature', () => {
  const body = Buffer.from('{"amount":150000,"description":"₽"}')
  const secret = 'thm_secret'
  const good = signRequest(body, secret)
  const check = (...values: (string | null | undefined)[]) => checkRequestSignature(values, body, secret)

  test('a signature is sha256= and 64 lower-case hex digits', () => {
    expect(good).toMatch(/^sha256=[0-9a-f]{64}$/)
  })

  test('one signature header is enough, and two must be equal', () => {
    expect(check(good, undefined)).toBe('ok')
    expect(check(undefined, good)).toBe('ok')
    expect(check(null, good)).toBe('ok')
    expect(check(good, good)).toBe('ok')
  })

  test('two different signature headers are invalid, in either order', () => {
    expect(check(good, signRequest('other', secret))).toBe('invalid')
    expect(check(signRequest('other', secret), good)).toBe('invalid')
    expect(check('', good)).toBe('invalid')
  })

  test('a request without a signature header is missing its signature', () => {
    expect(check(undefined, null)).toBe('missing')
  })

  test('a request without a body signs the empty string', () => {
    expect(checkRequestSignature([signRequest('', secret)], new Uint8Array(), secret)).toBe('ok')
  })

  test.each([
    ['', 'empty'],
    [good.toUpperCase(), 'upper case'],
    [good.replace('sha256=', 'SHA256='), 'another spelling of the prefix'],
    [good.slice(7), 'no prefix'],
    [` ${good}`, 'a leading space'],
    [`${good}, ${good}`, 'two joined lines'],
    [good.slice(0, -1), 'too short'],
    [`${good}0`, 'too long'],
    [good.replace(/.$/, 'я'), 'not ASCII'],
    [`${'я'.repeat(71)}`, 'as long as the right one, in letters of two bytes'],
    ['\u{1f4a5}\u0000\ud800', 'garbage'],
  ])('the signature %j is invalid and does not throw (%s)', (value) => {
    expect(check(value)).toBe('invalid')
  })
})

describe('5.4 allow-list', () => {
  test('an empty list allows all addresses', () => {
    expect(isAllowed([], '203.0.113.7')).toBe(true)
    expect(isAllowed([], undefined)).toBe(true)
  })

  test.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['203.0.113.7', '::ffff:cb00:7107', true],
    ['::ffff:203.0.113.7', '203.0.113.7', true],
    ['::ffff:203.0.113.0/120', '203.0.113.200', true],
    ['::ffff:203.0.113.0/120', '203.0.114.1', false],
    ['10.0.0.0/8', '10.255.1.2', true],
    ['10.1.2.3/8', '10.255.1.2', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.20.30.40/32', '10.20.30.40', true],
    ['10.20.30.40/32', '10.20.30.41', false],
    ['10.20.30.40/31', '10.20.30.41', true],
    ['10.20.30.40/31', '10.20.30.42', false],
    ['10.20.30.0/24', '10.20.30.255', true],
    ['10.20.30.0/24', '10.20.31.0', false],
    ['10.20.30.0/24', '10.20.29.255', false],
    ['2001:db8::/127', '2001:db8::1', true],
    ['2001:db8::/127', '2001:db8::2', false],
    ['2001:db8::1/128', '2001:db8::', false],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '8.8.8.8', false],
    ['2001:db8::/32', '2001:DB8:0:1::5', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1', true],
    ['fe80::1', 'fe80::1%eth0', true],
    ['fe80::/10', 'fe80::abcd%25eth0', true],
    ['127.0.0.1', '127.1', false],
    ['127.0.0.1', '0177.0.0.1', false],
    ['127.0.0.1', '2130706433', false],
  ])('the entry %s and the address %s: allowed is %s', (entry, caller, allowed) => {
    expect(isAllowed([entry], caller)).toBe(allowed)
  })

  test('an address is allowed if any entry matches', () => {
    expect(isAllowed(['198.51.100.1', '2001:db8::/32'], '2001:db8::9')).toBe(true)
  })

  test.each(['', 'unknown', '1.2.3.4.5', '1.2.3.256', ':::', 'привет', '%', '1.2.3.4\n'])(
    'the malformed address %j is never allowed',
    (address) => {
      expect(isAllowed(['0.0.0.0/0', '::/0'], address)).toBe(false)
    },
  )

  test.each(['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32', '::', '::/0', '0.0.0.0/0'])(
    'the entry %s is valid',
    (entry) => {
      expect(allowListEntryIssue(entry)).toBeUndefined()
    },
  )

  test.each([
    '',
    ' 1.2.3.4',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/08',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2001:db8::/129',
    '2001:db8:::1',
    'localhost',
    '*',
  ])('the entry %j is rejected with a message', (entry) => {
    expect(allowListEntryIssue(entry)).toContain('is not an address')
  })

  test('an entry with a zone id is rejected with a separate message', () => {
    expect(allowListEntryIssue('fe80::1%eth0')).toContain('zone id')
  })
})

describe('5.4 the client address behind proxies', () => {
  test.each([
    ['10.0.0.9', '203.0.113.7', 0, '10.0.0.9'],
    ['10.0.0.9', '203.0.113.7', 1, '203.0.113.7'],
    ['10.0.0.9', '6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
    ['10.0.0.9', '6.6.6.6, 203.0.113.7, 10.0.0.8', 2, '203.0.113.7'],
    ['10.0.0.9', '203.0.113.7', 2, '203.0.113.7'],
    ['10.0.0.9', undefined, 1, '10.0.0.9'],
    ['10.0.0.9', ' , ', 1, '10.0.0.9'],
    ['10.0.0.9', '203.0.113.7:4711', 1, '203.0.113.7'],
    ['10.0.0.9', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['10.0.0.9', '2001:db8::1', 1, '2001:db8::1'],
    ['10.0.0.9', 'unknown', 1, 'unknown'],
    [undefined, undefined, 0, undefined],
  ])('the client address for the socket %s, X-Forwarded-For %j and %d hops is %s', (socket, header, hops, address) => {
    expect(clientIp(socket, header, hops)).toBe(address)
  })
})
