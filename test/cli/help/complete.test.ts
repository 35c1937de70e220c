import { expect, test, vi } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands/index.ts'
import { complete } from '../../../src/cli/help/complete.ts'
import { PAYMENT_FAILURE_CODES, PAYOUT_FAILURE_CODES } from '../../../src/domain/failure-codes.ts'
import { PLAN_NAMES, parsePlan, planNames } from '../../../src/domain/simulator-plan.ts'

/** Returns the offered words without the last line of the library, which is for the shell. */
function offered(...words: string[]): string[] {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  try {
    complete(COMMANDS, words)
  } finally {
    log.mockRestore()
  }
  return lines.filter((line) => !/^:\d+$/.test(line)).map((line) => line.split('\t')[0] ?? '')
}

test('`payments decline --code` offers the failure codes of payments', () => {
  expect(offered('payments', 'decline', 'ID', '--code', '')).toEqual(PAYMENT_FAILURE_CODES)
  expect(offered('payments', 'decline', 'ID', '--code', 'recipient')).toEqual([])
  expect(offered('payments', 'decline', 'ID', '--code', 'card_e')).toEqual(['card_expired'])
})

test('`--outcome` offers the plans, and the failure codes after `failed:`', () => {
  expect(PLAN_NAMES.filter((word) => parsePlan(word) === undefined)).toEqual([])
  expect(offered('rules', 'add', '')).toEqual(PLAN_NAMES)
  for (const [words, codes] of [
    [['payments', 'create'], PAYMENT_FAILURE_CODES],
    [['payments', 'refund', 'ID'], PAYMENT_FAILURE_CODES],
    [['payouts', 'create'], PAYOUT_FAILURE_CODES],
  ] as const) {
    expect(offered(...words, '--outcome', '')).toEqual(planNames(codes))
    expect(offered(...words, '--outcome', 'failed:')).toEqual(codes.map((code) => `failed:${code}`))
  }
})

test('`payouts settle` offers the results of a payout', () => {
  const results = ['succeeded', 'failed', ...PAYOUT_FAILURE_CODES.map((code) => `failed:${code}`)]
  expect(offered('payouts', 'settle', 'ID', '')).toEqual(results)
})

test.each<[words: string[], expected: string[]]>([
  [
    ['faults', 'add', ''],
    ['api', 'webhook', 'stream', 'redirect'],
  ],
  [['faults', 'add', 'webhook', 'dup'], ['duplicate:2']],
  [['faults', 'add', 'webhook', 'drop', '--match', 'order'], ['order_id=']],
  [
    ['faults', 'add', 'api', 'cut', '--match', 'pa'],
    ['path=', 'payment_method=', 'payment_id='],
  ],
  [['rules', 'add', 'failed', '--match', 'meta'], ['metadata.']],
  [['rules', 'add', 'failed', '--match', 'pay'], ['payment_method=']],
  [['settings', 'set', 'delays.s'], ['delays.session=']],
  [['settings', 'get', 'http_r'], ['http_return_url']],
  [['trigger', 'double-d'], ['double-delivery']],
  [
    ['wait', 'pay'],
    [
      'payment.succeeded',
      'payment.failed',
      'payment.cancelled',
      'payment.expired',
      'payment.refunded',
      'payment.*',
      'payout.succeeded',
      'payout.failed',
      'payout.*',
    ].filter((word) => word.startsWith('pay')),
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
  [['rules', 'add', 'succ'], ['succeeded']],
  [
    ['listen', '--events', 'payout.'],
    ['payout.succeeded', 'payout.failed'],
  ],
  [
    ['shops', 'rotate-secret', 'ID', ''],
    ['signing', 'webhook'],
  ],
])('completion of %j offers %j', (words, expected) => {
  expect(offered(...words).sort()).toEqual([...expected].sort())
})
