import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoopback } from '../../src/domain/loopback.ts'
import { type AddressUse, normalizeAddress, requireAddress } from '../../src/domain/typed-address.ts'

const LOCAL = 'http://127.0.0.1:7770'

describe('the base URL of a server', () => {
  test.each([
    ['7770', LOCAL],
    [':7770', LOCAL],
    ['7770/', LOCAL],
    ['localhost:7770', 'http://localhost:7770'],
    ['//localhost:7770', 'http://localhost:7770'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['127.0.0.1:7770', LOCAL],
    ['psp.localhost:7770', 'http://psp.localhost:7770'],
    ['[::1]:7770', 'http://[::1]:7770'],
    ['::1', 'http://[::1]'],
    ['0.0.0.0:7770', LOCAL],
    ['http://0.0.0.0:7770', LOCAL],
    ['http://[::]:7770/', 'http://[::1]:7770'],
    ['HTTPS://API.psp.example/v//', 'https://api.psp.example/v'],
    ['http://a:80/', 'http://a'],
    ['http://psp:7770', 'http://psp:7770'],
    ['http://10.0.0.5:7770', 'http://10.0.0.5:7770'],
    ['http://[2001:db8::1]:7770', 'http://[2001:db8::1]:7770'],
    [' http://localhost:7770\r\n', 'http://localhost:7770'],
    ['\ufeffhttp://localhost:7770', 'http://localhost:7770'],
    ['"http://localhost:7770"', 'http://localhost:7770'],
    ["'http://localhost:7770'\r", 'http://localhost:7770'],
    ['" localhost:7770 "', 'http://localhost:7770'],
    ['`7770`', LOCAL],
    ['<https://psp.example/>', 'https://psp.example'],
    ['http://localhost:7770/v1/public', 'http://localhost:7770'],
    ['http://localhost:7770/v1/public/', 'http://localhost:7770'],
    ['localhost:7770/api/v1/public', 'http://localhost:7770'],
    ['http://localhost:7770/v1/public/payments', 'http://localhost:7770'],
    ['http://localhost:7770/_psp/health', 'http://localhost:7770'],
    ['https://gateway.example/psp/api/v1/public/', 'https://gateway.example/psp'],
    ['http://localhost:7770/v1', 'http://localhost:7770'],
    ['http://localhost:7770/v1/', 'http://localhost:7770'],
    ['localhost:7770/api/v1', 'http://localhost:7770'],
    ['http://localhost:7770/v1/payments', 'http://localhost:7770'],
    ['http://localhost:7770/pay/0b2c', 'http://localhost:7770'],
    ['http://localhost:7770/pay/0b2c/card', 'http://localhost:7770'],
    ['https://gateway.example/psp/pay/0b2c', 'https://gateway.example/psp'],
    ['https://gateway.example/pay', 'https://gateway.example/pay'],
    ['https://gateway.example/v12', 'https://gateway.example/v12'],
    ['https://gateway.example/v1beta/psp', 'https://gateway.example/v1beta/psp'],
  ])('the address %j of a server becomes %s', (text, url) => {
    expect(normalizeAddress(text, 'server')).toEqual({ url })
  })

  test.each<[text: string, issue: RegExp, hint: RegExp]>([
    ['', /is empty/, /7770/],
    ['""', /is empty/, /7770/],
    ['psp.example', /does not begin with http/, /Write http:\/\/psp\.example or https:\/\/psp\.example/],
    ['psp.example:7770', /does not begin with http/, /http:\/\/psp\.example:7770/],
    ['psp:7770', /does not begin with http/, /http:\/\/psp:7770/],
    ['localhsot', /does not begin with http/, /Only addresses of this machine/],
    ['//psp.example', /does not begin with http/, /https:\/\/psp\.example/],
    ['10.0.0.5:7770', /does not begin with http/, /http:\/\/10\.0\.0\.5:7770/],
    ['127.0.0.1.psp.example', /does not begin with http/, /http:\/\/127\.0\.0\.1\.psp\.example/],
    ['http://7770', /the host 7770 would become 0\.0\.30\.90/, /7770/],
    ['http://7770/v1/public', /0\.0\.30\.90/, /7770/],
    ['0x7f.1:7770', /would become 127\.0\.0\.1/, /7770/],
    ['http://2130706433', /would become 127\.0\.0\.1/, /7770/],
    ['http://127.1', /would become 127\.0\.0\.1/, /7770/],
    ['http://010.0.0.1', /would become 8\.0\.0\.1/, /7770/],
    ['ftp://localhost:7770', /the scheme must be http or https, not ftp/, /7770/],
    ['htp://localhost', /the scheme must be http or https, not htp/, /7770/],
    ['http:/localhost:7770', /is not an address|two slashes/, /7770/],
    ['http:localhost', /is not an address|two slashes/, /7770/],
    ['http://http://localhost:7770', /scheme once, with two slashes/, /7770/],
    ['http:///localhost', /is not an address/, /7770/],
    ['/v1/public', /is not an address/, /7770/],
    ['?a', /is not an address/, /7770/],
    ['http://', /is not an address/, /7770/],
    ['::1:7770', /is not an address/, /in brackets/],
    ['http://::1:7770', /is not an address/, /in brackets/],
    ['http://fe80::1', /is not an address/, /in brackets/],
    ['localhost:77700', /is not an address/, /is above 65535/],
    ['77700', /is not an address/, /is above 65535/],
    ['localhost:0', /port 0/, /7770/],
    ['http://local host', /space, a quote or a backslash/, /7770/],
    ['http://localhost:7770\nhttp://other', /space, a quote or a backslash/, /7770/],
    ['http://local\u200bhost', /space, a quote or a backslash/, /7770/],
    ['"http://localhost:7770', /space, a quote or a backslash/, /7770/],
    ["http://localhost:7770'", /space, a quote or a backslash/, /7770/],
    ['http:\\\\localhost:7770', /space, a quote or a backslash/, /7770/],
    ['http://localhost:7770?a=1', /cannot have a query/, /7770/],
    ['http://localhost:7770/#/payments', /cannot have a fragment/, /7770/],
    ['localhost:7770#a', /cannot have a fragment/, /7770/],
    ['C:\\psp', /is a file path/, /7770/],
    ['./psp', /is a file path/, /7770/],
  ])('the address %j of a server is rejected', (text, issue, hint) => {
    expect(normalizeAddress(text, 'server')).toEqual({
      issue: expect.stringMatching(issue),
      hint: expect.stringMatching(hint),
    })
  })

  test('a text without http:// or https:// never becomes the URL of another machine', () => {
    const part = fc.constantFrom(
      'localhost',
      '127.0.0.1',
      'a',
      '.',
      ':',
      '/',
      '//',
      '7770',
      '0x7f',
      '@',
      '[::1]',
      '::',
      '?',
      '#',
      '\\',
      '"',
      ' ',
      '0',
      'http:',
      'example.com',
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
        const text = parts.join('')
        const read = normalizeAddress(text, 'server')
        if (/https?:\/\//.test(text) || !('url' in read)) return
        expect([text, isLoopback(new URL(read.url).hostname)]).toEqual([text, true])
      }),
      { numRuns: 3000, seed: 1 },
    )
  })
})

describe('the address of a webhook handler', () => {
  test.each([
    ['localhost:3000/hooks', 'http://localhost:3000/hooks'],
    ['"localhost:3000/hooks"', 'http://localhost:3000/hooks'],
    ["'https://example.com/hooks?x=1'\r", 'https://example.com/hooks?x=1'],
    ['0.0.0.0:3000/hooks', 'http://127.0.0.1:3000/hooks'],
    ['::1', 'http://[::1]'],
    ['http://localhost:3000/v1/public', 'http://localhost:3000/v1/public'],
    ["localhost:3000/o'brien", "http://localhost:3000/o'brien"],
  ])('the address %j of a receiver becomes %s', (text, url) => {
    expect(normalizeAddress(text, 'receiver')).toEqual({ url })
  })

  test.each<[text: string, issue: RegExp]>([
    ['http://3000', /the host 3000 would become 0\.0\.11\.184/],
    ['http://3000/hooks', /0\.0\.11\.184/],
    ['http:/localhost:3000', /is not an address|two slashes/],
    ['http:///hooks', /is not an address/],
    ['http:\\\\localhost\\hooks', /backslash/],
    ['localhost:3000/ho"oks', /quote/],
  ])('the address %j of a receiver is rejected', (text, issue) => {
    expect(normalizeAddress(text, 'receiver')).toEqual({
      issue: expect.stringMatching(issue),
      hint: expect.stringContaining('localhost:3000/hooks'),
    })
  })
})

test.each<AddressUse>(['server', 'receiver'])('a password in the address of a %s is rejected and not shown', (use) => {
  for (const text of [
    'http://me:hunter2@host',
    'me:hunter2@localhost:7770',
    'ftp://me:hunter2@host',
    '"http://me:hunter2@ho st"',
  ]) {
    const read = normalizeAddress(text, use)
    expect([text, read]).toEqual([
      text,
      { issue: expect.stringContaining('user name or password'), hint: expect.any(String) },
    ])
    expect(JSON.stringify(read)).not.toContain('hunter2')
  }
})

test('requireAddress throws a TypeError that names the option', () => {
  expect(requireAddress('7770', 'server', 'url')).toBe(LOCAL)
  expect(() => requireAddress('psp.example', 'server', 'url')).toThrow(/^url: "psp\.example" does not begin with http/)
  expect(() => requireAddress(7770, 'server', 'url')).toThrow(
    new TypeError('url: expected a URL as a string, got number.'),
  )
})
