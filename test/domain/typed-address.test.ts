import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoopback } from '../../src/domain/loopback.ts'
import { type AddressUse, normalizeAddress, requireAddress } from '../../src/domain/typed-address.ts'

const LOCAL = 'http://127.0.0.1:7770'
const EXAMPLE = 'Write http://127.0.0.1:7770, localhost:7770 or 7770.'
const RECEIVER_EXAMPLE = 'Write localhost:3000/hooks, 3000, :3000/hooks, /hooks or a complete URL.'
const BRACKETS = 'Put an IPv6 address in brackets: http://[::1]:7770.'
const TOO_LARGE = 'The port 77700 is above 65535.'

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

  test.each<[text: string, issue: string, hint: string]>([
    ['', '"" is empty.', EXAMPLE],
    ['""', '"\\"\\"" is empty.', EXAMPLE],
    ['http://7770', '"http://7770": the host 7770 would become 0.0.30.90.', EXAMPLE],
    ['http://7770/v1/public', '"http://7770/v1/public": the host 7770 would become 0.0.30.90.', EXAMPLE],
    ['0x7f.1:7770', '"0x7f.1:7770": the host 0x7f.1 would become 127.0.0.1.', EXAMPLE],
    ['http://2130706433', '"http://2130706433": the host 2130706433 would become 127.0.0.1.', EXAMPLE],
    ['http://127.1', '"http://127.1": the host 127.1 would become 127.0.0.1.', EXAMPLE],
    ['http://010.0.0.1', '"http://010.0.0.1": the host 010.0.0.1 would become 8.0.0.1.', EXAMPLE],
    ['ftp://localhost:7770', '"ftp://localhost:7770": the scheme must be http or https, not ftp.', EXAMPLE],
    ['htp://localhost', '"htp://localhost": the scheme must be http or https, not htp.', EXAMPLE],
    ['http:/localhost:7770', '"http:/localhost:7770": write the scheme once, with two slashes.', EXAMPLE],
    ['http:localhost', '"http:localhost" is not an address.', EXAMPLE],
    [
      'http://http://localhost:7770',
      '"http://http://localhost:7770": write the scheme once, with two slashes.',
      EXAMPLE,
    ],
    ['http:///localhost', '"http:///localhost" is not an address.', EXAMPLE],
    ['/v1/public', '"/v1/public" is not an address.', EXAMPLE],
    ['?a', '"?a" is not an address.', EXAMPLE],
    ['http://', '"http://" is not an address.', EXAMPLE],
    ['::1:7770', '"::1:7770" is not an address.', BRACKETS],
    ['http://::1:7770', '"http://::1:7770" is not an address.', BRACKETS],
    ['http://fe80::1', '"http://fe80::1" is not an address.', BRACKETS],
    ['localhost:77700', '"localhost:77700" is not an address.', TOO_LARGE],
    ['77700', '"77700" is not an address.', TOO_LARGE],
    ['localhost:0', '"localhost:0": nothing can listen on port 0.', EXAMPLE],
    ['http://local host', '"http://local host" contains a space, a quote or a backslash.', EXAMPLE],
    [
      'http://localhost:7770\nhttp://other',
      '"http://localhost:7770\\nhttp://other" contains a space, a quote or a backslash.',
      EXAMPLE,
    ],
    ['http://local\u200bhost', '"http://local\u200bhost" contains a space, a quote or a backslash.', EXAMPLE],
    ['"http://localhost:7770', '"\\"http://localhost:7770" contains a space, a quote or a backslash.', EXAMPLE],
    ["http://localhost:7770'", `"http://localhost:7770'" contains a space, a quote or a backslash.`, EXAMPLE],
    ['http:\\\\localhost:7770', '"http:\\\\\\\\localhost:7770" contains a space, a quote or a backslash.', EXAMPLE],
    [
      'http://localhost:7770?a=1',
      '"http://localhost:7770?a=1": a base URL cannot have a query, because paths are appended to it.',
      EXAMPLE,
    ],
    [
      'http://localhost:7770/#/payments',
      '"http://localhost:7770/#/payments": a base URL cannot have a fragment, because paths are appended to it.',
      EXAMPLE,
    ],
    [
      'localhost:7770#a',
      '"localhost:7770#a": a base URL cannot have a fragment, because paths are appended to it.',
      EXAMPLE,
    ],
    ['C:\\psp', '"C:\\\\psp" is a file path, not an address.', EXAMPLE],
    ['./psp', '"./psp" is a file path, not an address.', EXAMPLE],
  ])('the address %j of a server is rejected', (text, issue, hint) => {
    expect(normalizeAddress(text, 'server')).toEqual({ issue, hint })
  })

  test.each([
    ['psp.example', 'psp.example'],
    ['psp.example:7770', 'psp.example:7770'],
    ['psp:7770', 'psp:7770'],
    ['localhsot', 'localhsot'],
    ['//psp.example', 'psp.example'],
    ['10.0.0.5:7770', '10.0.0.5:7770'],
    ['127.0.0.1.psp.example', '127.0.0.1.psp.example'],
  ])('the address %j of a server on another machine needs a scheme', (text, host) => {
    expect(normalizeAddress(text, 'server')).toEqual({
      issue: `${JSON.stringify(text)} does not begin with http:// or https://. One of them is required, because an API key is sent to that host.`,
      hint: `Write http://${host} or https://${host}. Only addresses of this machine can omit the scheme.`,
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

  test.each([
    ['3000', 'http://localhost:3000'],
    ['3000/', 'http://localhost:3000/'],
    [':3000/hooks', 'http://localhost:3000/hooks'],
    ['/hooks', 'http://localhost:3000/hooks'],
    ['?a=1', 'http://localhost:3000/?a=1'],
    ['http://localhost:3000/#a', 'http://localhost:3000'],
    ['http://localhost:3000/?a=1#b', 'http://localhost:3000/?a=1'],
    ['http://hooks', 'http://hooks'],
    ['shop.example/hooks', 'http://shop.example/hooks'],
  ])('the short or decorated address %j of a receiver becomes %s', (text, url) => {
    expect(normalizeAddress(text, 'receiver')).toEqual({ url })
  })

  test.each([
    ['http://3000', '"http://3000": the host 3000 would become 0.0.11.184.'],
    ['http:/localhost:3000', '"http:/localhost:3000": write the scheme once, with two slashes.'],
    ['http:///hooks', '"http:///hooks" is not an address.'],
    ['http:\\\\localhost\\hooks', String.raw`"http:\\\\localhost\\hooks" contains a space, a quote or a backslash.`],
    ['localhost:3000/ho"oks', String.raw`"localhost:3000/ho\"oks" contains a space, a quote or a backslash.`],
    [`localhost:3000/${'x'.repeat(65)} `, undefined],
    [
      `localhost:3000/${'x'.repeat(64)} x`,
      `"localhost:3000/${'x'.repeat(64)}…" contains a space, a quote or a backslash.`,
    ],
    [
      `localhost:3000/${'x'.repeat(63)} x`,
      `"localhost:3000/${'x'.repeat(63)} x" contains a space, a quote or a backslash.`,
    ],
  ])('the address %j of a receiver is rejected as %j', (text, issue) => {
    const read = normalizeAddress(text, 'receiver')
    expect('issue' in read ? read : undefined).toEqual(issue && { issue, hint: RECEIVER_EXAMPLE })
  })

  test('a word alone is not the address of a receiver, because it may be a misspelt command', () => {
    expect(normalizeAddress('hooks', 'receiver')).toEqual({
      issue: '"hooks" is a word, not an address.',
      hint: `If it is the name of a host, write http://hooks. ${RECEIVER_EXAMPLE}`,
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
      {
        issue: 'The address contains a user name or password, which would be shown in many places.',
        hint:
          use === 'server'
            ? 'Remove them. The API key is sent in a header.'
            : 'Remove them. Put a token in the path or the query instead.',
      },
    ])
  }
})

test('requireAddress throws a TypeError that names the option', () => {
  expect(requireAddress('7770', 'server', 'url')).toBe(LOCAL)
  expect(() => requireAddress('', 'server', 'url')).toThrow(new TypeError(`url: "" is empty. ${EXAMPLE}`))
  expect(() => requireAddress(null, 'server', 'url')).toThrow(
    new TypeError('url: expected a URL as a string, got null.'),
  )
  expect(() => requireAddress(7770, 'server', 'url')).toThrow(
    new TypeError('url: expected a URL as a string, got number.'),
  )
})
