// Headers that may be sent once, and the idempotency key.
import { expect, test } from 'vitest'
import { RefusalError } from '../../../src/domain/errors.ts'
import {
  idempotencyKey,
  MAX_KEY_LENGTH,
  simulatedPlan,
  singleHeader,
} from '../../../src/http/guards/request-headers.ts'
import { exchange } from './exchange.ts'

/** Returns the value, or the message of the refusal. */
function resultOf<T>(act: () => T): T | string {
  try {
    return act()
  } catch (error) {
    if (error instanceof RefusalError) return error.message
    throw error
  }
}

const TWICE = 'Accept: expected one header, got several. Send it once.'

test.each([
  [undefined, undefined],
  ['', ''],
  ['a', 'a'],
  ['a,b', 'a,b'],
  ['a, b', TWICE],
  ['"a, b"', '"a, b"'],
  ['"a, b", c', TWICE],
  ['"a", "b"', TWICE],
  ['a, "b, c"', TWICE],
])('a caller in this process that sends Accept as %j gets %j', (accept, result) => {
  const headers: Record<string, string> = accept === undefined ? {} : { accept }
  expect(resultOf(() => singleHeader(exchange({ headers }), 'Accept'))).toBe(result)
})

test.each([
  [['Accept', 'a'], 'a, b'],
  [['accept', 'a', 'Host', 'x'], 'a, b'],
  [['Host', 'x', 'accept', 'a', 'ACCEPT', 'b'], TWICE],
  // Names of the same length, and values that look like the name, do not count.
  [['Accept', 'a', 'Origin', 'Accept', 'Pragma', 'accept'], 'a, b'],
])('a socket with the headers %j gets %j', (rawHeaders, result) => {
  const call = exchange({ headers: { accept: 'a, b' }, socket: '::1', rawHeaders })
  expect(resultOf(() => singleHeader(call, 'Accept'))).toBe(result)
})

const wrongKey = (length: number) => `Idempotency-Key: expected 1 to ${MAX_KEY_LENGTH} characters, got ${length}.`
const longest = 'x'.repeat(MAX_KEY_LENGTH)

test.each([
  [undefined, undefined],
  ['a', 'a'],
  ['"a"', 'a'],
  ['"', '"'],
  ['"a', '"a'],
  ['a"', 'a"'],
  ['x"a"', 'x"a"'],
  ['"a"x', '"a"x'],
  ['""a""', '"a"'],
  [longest, longest],
  [`"${longest}"`, longest],
  ['', wrongKey(0)],
  ['""', wrongKey(0)],
  [`${longest}x`, wrongKey(MAX_KEY_LENGTH + 1)],
])('the idempotency key of the header %j is %j', (value, key) => {
  const headers: Record<string, string> = value === undefined ? {} : { 'idempotency-key': value }
  expect(resultOf(() => idempotencyKey(exchange({ headers })))).toBe(key)
})

test.each([
  [undefined, undefined],
  ['failed:card_lost', { outcome: 'failed', code: 'card_lost' }],
  ['fail', expect.stringMatching(/^X-PSP-Simulate: .*The plans are succeeded/)],
])('the plan of the header X-PSP-Simulate: %s is %j', (value, plan) => {
  const headers: Record<string, string> = value === undefined ? {} : { 'x-psp-simulate': value }
  expect(resultOf(() => simulatedPlan(exchange({ headers })))).toEqual(plan)
})
