import { expect, test } from 'vitest'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { recordedKey } from '../../src/recordings/compare/replay-shops.ts'

const keyIn = (...headers: (readonly [string, string])[]) =>
  recordedKey({ headers: new Map(headers) } as unknown as RecordedCall)

test.each([
  ['Bearer sk_live_a1B2c3_0123456789', { hint: 'sk_live_a1B2c3', mode: 'live' }],
  ['Bearer sk_test_a1B2c3***', { hint: 'sk_test_a1B2c3', mode: 'test' }],
  ['Bearer sk_test_a1B2', { hint: 'bearer' }],
  ['Bearer sk_demo_a1B2c3_0123456789', { hint: 'bearer' }],
  ['bearer ***', { hint: 'bearer' }],
])('the API key in `%s` is known by its public part, if it has one', (authorization, key) => {
  expect(keyIn(['authorization', authorization])).toEqual(key)
})

test('a request without a bearer token has no API key', () => {
  expect(keyIn()).toBeUndefined()
  expect(keyIn(['authorization', 'Basic ***'])).toBeUndefined()
  expect(keyIn(['authorization', 'Bearer '])).toBeUndefined()
  expect(keyIn(['authorization', 'Digest username="Bearer x"'])).toBeUndefined()
})
