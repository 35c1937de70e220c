import { expect, test } from 'vitest'
import { hostname, isPlainHost, withBrackets } from '../../src/http/host-header.ts'

test.each([
  ['psp', 'psp'],
  ['psp:7770', 'psp'],
  ['PSP.Example.:80', 'psp.example'],
  ['my_app', 'my_app'],
  ['127.0.0.1:7770', '127.0.0.1'],
  ['[::1]:7770', '[::1]'],
  ['', undefined],
  ['psp/evil', undefined],
  ['evil@psp', undefined],
  ['psp:7770x', undefined],
  ['psp:123456', undefined],
  ['::1', undefined],
  ['a b', undefined],
])('the host name in the header %j is %j', (header, name) => {
  expect(hostname(header)).toBe(name)
})

test.each([
  ['psp', true],
  ['psp.example:7770', true],
  ['127.0.0.1:7770', true],
  ['PSP', false],
  ['my_app', false],
  ['[::1]', false],
  ['a/psp', false],
  ['psp:7770/', false],
  ['1.2.3.400', false],
  ['', false],
])('the header %j is a plain host: %s', (header, isPlain) => {
  expect(isPlainHost(header)).toBe(isPlain)
})

test('only an IPv6 address gets brackets, and only once', () => {
  expect(['::1', '[::1]', 'psp', '127.0.0.1'].map(withBrackets)).toEqual(['[::1]', '[::1]', 'psp', '127.0.0.1'])
})
