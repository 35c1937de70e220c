// The fix of a finding, for every check and every response.
import { expect, test } from 'vitest'
import { CHECKS } from '../../src/audit/checks.ts'
import { judge } from '../../src/audit/judge.ts'
import type { HandlerResponse } from '../../src/audit/ports.ts'
import { seededRandomness } from '../../src/random.ts'

const GROUND = {
  secret: 'whs_x',
  now: Date.UTC(2026, 4, 6, 12),
  random: seededRandomness(1),
  amount: 150_000,
  order: () => 'order-1',
  metadata: {},
}

const RESPONSES: readonly [string, HandlerResponse][] = [
  ...[300, 302, 400, 401, 402, 403, 404, 405, 409, 410, 411, 413, 415, 418, 422, 429, 500, 503].map(
    (status): [string, HandlerResponse] => [String(status), { status, ms: 1, text: '' }],
  ),
  ['a timeout', { error: 'No answer.', code: 'ETIMEDOUT', ms: 15_000, text: '' }],
  ['a reset', { error: 'Closed.', code: 'ECONNRESET', ms: 1, text: '' }],
]

/** The first three words of each sentence, and of each clause after a colon. */
const beginnings = (text: string) =>
  text
    .split(/(?<=[.!?:]) (?=[A-Z])/)
    .map((sentence) => sentence.split(' ').slice(0, 3).join(' '))
    .filter((words) => words.split(' ').length === 3)

test.each(CHECKS.map((check) => [check.id, check] as const))('the fix of %s gives no advice twice', (_, check) => {
  for (const [name, answer] of RESPONSES) {
    const { fix = check.fix } = judge(check, [answer], undefined, GROUND)
    expect(beginnings(fix), `${name}: ${fix}`).toEqual([...new Set(beginnings(fix))])
  }
})

test('large_metadata gives its own fix after a 413, and not the fix for the status', () => {
  const check = CHECKS.find(({ id }) => id === 'large_metadata') ?? expect.fail()
  const { fix } = judge(check, [{ status: 413, ms: 1, text: '' }], undefined, GROUND)
  expect(fix).toBe(check.fix)
})

test.each(['stale', 'future'])('the expression in the fix of %s rejects both sides of the tolerance', (id) => {
  const { fix } = CHECKS.find((check) => check.id === id) ?? expect.fail()
  const expression = /Math\.abs\(.*?\) > \d+/.exec(fix)?.[0] ?? expect.fail()
  const refuses = new Function('now', 't', `return ${expression}`) as (now: number, t: number) => boolean
  const now = 1_777_000_000
  expect([-301, -300, 0, 300, 301].map((off) => refuses(now, now + off))).toEqual([true, false, false, false, true])
})

const CLOSED = 'shop.test:3000 closed the connection before it responded. See its log.'

test.each<[string, readonly HandlerResponse[], string]>([
  ['one status', [{ status: 500, ms: 4, text: 'Oh no' }], '500 in 4 ms: Oh no'],
  [
    'an error',
    [{ error: CLOSED, code: 'ECONNRESET', ms: 84, text: '' }],
    'shop.test:3000 closed the connection before it responded, after 84 ms. See its log.',
  ],
  [
    'a status and two equal errors',
    [
      { status: 200, ms: 5, text: '' },
      { error: CLOSED, code: 'ECONNRESET', ms: 84, text: '' },
      { error: CLOSED, code: 'ECONNRESET', ms: 90, text: '' },
    ],
    '200 in 5 ms; 2 x shop.test:3000 closed the connection before it responded, after 90 ms. See its log.',
  ],
  [
    'a timeout, whose text names the time',
    [{ error: 'No response from shop.test within 15s. Respond first.', code: 'ETIMEDOUT', ms: 15_002, text: '' }],
    'No response from shop.test within 15s. Respond first.',
  ],
])('the responses of a finding are correct sentences for %s', (_, responses, got) => {
  const check = CHECKS.find(({ id }) => id === 'broken_json') ?? expect.fail()
  expect(judge(check, responses, undefined, GROUND).got).toBe(got)
})
