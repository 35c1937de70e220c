import { expect, test } from 'vitest'
import { isLocalhost, isLoopback, lookupLocalhost } from '../../src/domain/loopback.ts'

test.each([
  'localhost',
  'LOCALHOST',
  'shop.localhost',
  'localhost.',
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
])('the host %s is this machine', (host) => expect(isLoopback(host)).toBe(true))

test.each([
  'localhost.example',
  'notlocalhost',
  '128.0.0.1',
  '127.0.0.1.example',
  '::2',
  '::ffff:10.0.0.1',
  '::ffff:7f:1',
  '::ffff:127.example',
  '',
])('the host %s is not this machine', (host) => expect(isLoopback(host)).toBe(false))

test('isLocalhost accepts names and no addresses', () => {
  expect(['localhost', 'a.localhost', '127.0.0.1', '[::1]'].map(isLocalhost)).toEqual([true, true, false, false])
})

test('lookupLocalhost returns both addresses', () => {
  const results: unknown[] = []
  lookupLocalhost({ all: true }, (...args) => results.push(args))
  lookupLocalhost({}, (...args) => results.push(args))
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  expect(results).toEqual([
    [null, both],
    [null, '127.0.0.1', 4],
  ])
})
