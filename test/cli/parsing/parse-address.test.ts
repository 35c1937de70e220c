import { expect, test } from 'vitest'
import { CliError } from '../../../src/cli/failure.ts'
import { forwardUrl, listenHost } from '../../../src/cli/parsing/parse-address.ts'
import { issueOf } from '../issue-of.ts'

test.each([
  ['localhost:3000/hooks', 'http://localhost:3000/hooks'],
  ['localhost:3000', 'http://localhost:3000'],
  ['localhost:3000/', 'http://localhost:3000/'],
  ['localhost', 'http://localhost'],
  ['3000', 'http://localhost:3000'],
  ['3000/x', 'http://localhost:3000/x'],
  ['3000?a=1', 'http://localhost:3000/?a=1'],
  [':3000/x', 'http://localhost:3000/x'],
  [':3000', 'http://localhost:3000'],
  ['/x', 'http://localhost:3000/x'],
  ['/x?y=1', 'http://localhost:3000/x?y=1'],
  ['//example.com/x', 'http://example.com/x'],
  ['127.0.0.1:8080/a/b', 'http://127.0.0.1:8080/a/b'],
  ['[::1]:3000/x', 'http://[::1]:3000/x'],
  ['http://app', 'http://app'],
  ['app:3000', 'http://app:3000'],
  ['app/hooks', 'http://app/hooks'],
  ['example.com/hooks', 'http://example.com/hooks'],
  ['my-app.test:6000/x', 'http://my-app.test:6000/x'],
  ['http://localhost:3000/hooks', 'http://localhost:3000/hooks'],
  ['https://example.com/hooks?x=1#part', 'https://example.com/hooks?x=1'],
  ['HTTP://LOCALHOST:80/x', 'http://localhost/x'],
  [' localhost:3000/hooks\r\n', 'http://localhost:3000/hooks'],
  ['localhost:3000/ключ', 'http://localhost:3000/%D0%BA%D0%BB%D1%8E%D1%87'],
])('the address %j becomes %s', (text, url) => {
  expect(forwardUrl(text)).toBe(url)
})

test.each([
  '',
  '   ',
  'ftp://localhost/x',
  'localhost:99999',
  '99999',
  'http://',
  'local host:3000',
  'http://user:pass@localhost:3000',
  'notaurl',
  'C:\\hooks',
  'c:/hooks',
  '\\\\host\\hooks',
])('the address %j is refused with an example', (text) => {
  expect(() => forwardUrl(text)).toThrow(CliError)
})

test.each([
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['[::1]', '::1'],
  [' "0.0.0.0" ', '0.0.0.0'],
])('the address %j is the host %s to listen on', (text, host) => {
  expect(listenHost(text)).toBe(host)
})

test.each(['localhost:7770', ':7770', 'http://localhost', 'local host', '[::1]:80', '::g', 'a\\b'])(
  'the address %j is refused as a host to listen on',
  (text) => {
    expect(issueOf(() => listenHost(text))).toEqual([
      `${JSON.stringify(text)} is not an address to listen on.`,
      'Write it without scheme and port, as 127.0.0.1, 0.0.0.0 or ::1. Give the port with --port.',
    ])
  },
)
