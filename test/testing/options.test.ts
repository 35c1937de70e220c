// The options that startSandbox refuses, with the whole message.
import { describe, expect, test } from 'vitest'
import { checkNumber, checkOptions } from '../../src/testing/check-options.ts'
import { describeFindings } from '../../src/testing/describe-findings.ts'

const check = (options: unknown) => () => checkOptions(options as never)

test.each([
  {},
  { port: 0 },
  { port: 65_535 },
  { timeout: 0 },
  { timeout: Number.MAX_SAFE_INTEGER },
  { host: '::1', controlToken: '!~', seed: {}, rules: [], faults: [] },
  { unknown: undefined },
  { url: 'http://a', controlToken: 'x', apiKey: 'k' },
])('the options %j are accepted', (options) => {
  expect(check(options)).not.toThrow()
})

test.each<[unknown, string]>([
  [null, "startSandbox takes an object, such as { clock: 'frozen' }; it got null."],
  ['frozen', "startSandbox takes an object, such as { clock: 'frozen' }; it got frozen."],
  [
    { ports: 1 },
    'ports: startSandbox has no such option. It has endpoints, receiver, timeout, apiKey, signingSecret, webhookSecret, url, port, host, controlToken, listen, clock, randomSeed, settings, seed, rules, faults.',
  ],
  [
    { url: 'http://a', port: 1 },
    'port: startSandbox with url has no such option. It has endpoints, receiver, timeout, apiKey, signingSecret, webhookSecret, url, controlToken.',
  ],
  [{ toString: 1 }, expect.stringMatching(/^toString: startSandbox has no such option\./)],
  [{ port: -1 }, 'port: expected an integer from 0 to 65535, got -1.'],
  [{ port: 65_536 }, 'port: expected an integer from 0 to 65535, got 65536.'],
  [{ port: 1.5 }, 'port: expected an integer from 0 to 65535, got 1.5.'],
  [{ timeout: -1 }, 'timeout: expected an integer from 0 to 9007199254740991, got -1.'],
  [{ host: ' ' }, 'host: expected an address such as 127.0.0.1, got " ".'],
  [{ host: 1 }, 'host: expected an address such as 127.0.0.1, got 1.'],
  [
    { controlToken: 'a b' },
    'controlToken: expected visible ASCII characters without spaces. Omit it if there is no token.',
  ],
  [
    { controlToken: '' },
    'controlToken: expected visible ASCII characters without spaces. Omit it if there is no token.',
  ],
  [{ seed: [] }, 'seed: expected an object, got [].'],
  [{ seed: null }, 'seed: expected an object, got null.'],
  [{ rules: {} }, 'rules: expected a list.'],
  [{ faults: 'x' }, 'faults: expected a list.'],
])('the options %j are refused with a message', (options, message) => {
  let found: unknown
  try {
    check(options)()
  } catch (error) {
    found = error
  }
  expect(found).toBeInstanceOf(TypeError)
  expect((found as TypeError).message).toEqual(message)
})

test('checkNumber accepts an omitted number', () => {
  expect(() => checkNumber('seed', undefined, 1, 2)).not.toThrow()
  expect(() => checkNumber('seed', 3, 1, 2)).toThrow(new TypeError('seed: expected an integer from 1 to 2, got 3.'))
})

describe('the error of a test', () => {
  const row = { round: 1, sent: 'payment.succeeded p1', response: '200', state: 'paid', expected: 'paid' }
  const finding = {
    id: 'truth',
    title: 'The state is wrong.',
    rows: [row, { ...row, round: 2, sent: 'payment.expired p1', state: 'closed' }],
    rate: { failed: 1, of: 1 },
    got: 'closed',
    expected: 'paid',
    fix: 'Keep it paid.',
    shrunk: true,
    repeated: false,
  }

  test('has each finding with its rows and its fix', () => {
    expect(describeFindings(7, [finding as never], [])).toBe(
      [
        'The handler breaks a rule: 1 finding. Repeat the search with { seed: 7 }.',
        '',
        'truth: The state is wrong.',
        '  1 payment.succeeded p1: 200; state paid; true state paid',
        '  2 payment.expired p1: 200; state closed; true state paid',
        '  got: closed',
        '  expected: paid',
        '  fix: Keep it paid.',
      ].join('\n'),
    )
  })

  test('has what limits a finding, and a command that replays it', () => {
    const limited = {
      ...finding,
      rows: [{ ...row, state: '' }],
      rate: { failed: 2, of: 3 },
      shrunk: false,
      repeated: true,
    }
    const described = (probe?: object, url?: string) =>
      describeFindings(7, [finding, { ...limited, probe }] as never, ['a.json', 'b.json'], url).split('\n\n')
    const [summary, , second] = described({ label: 'order', isPerOrder: true }, 'http://a/hooks')
    expect(summary).toBe('The handler breaks a rule: 2 findings. Repeat the search with { seed: 7 }.')
    expect(second?.split('\n').slice(1)).toEqual([
      '  1 payment.succeeded p1: 200',
      '  Then all events are sent again.',
      '  The case was not fully shrunk, so a smaller one may exist.',
      '  got: closed',
      '  expected: paid',
      '  rate: 2 of 3 times',
      '  fix: Keep it paid.',
      "  replay: psp audit http://a/hooks --probe 'orders/{order_id}' --replay b.json",
    ])
    expect(described({ label: 'balance', isPerOrder: false })[2]).toContain(
      'psp audit URL --probe balance --replay b.json',
    )
    expect(described()[1]).toContain('psp audit URL --replay a.json')
  })
})
