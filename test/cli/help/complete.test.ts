import { expect, test, vi } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands/index.ts'
import { complete } from '../../../src/cli/help/complete.ts'
import { FAILURE_CODE_NAMES } from '../../../src/domain/failure-codes.ts'
import { PLAN_NAMES, parsePlan } from '../../../src/domain/simulator-plan.ts'

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

test('`payments decline --code` offers the failure codes', () => {
  expect(offered('payments', 'decline', 'ID', '--code', '')).toEqual(FAILURE_CODE_NAMES)
  expect(offered('payments', 'decline', 'ID', '--code', 'card_e')).toEqual(['card_expired'])
})

test('`--outcome` offers the plans, and the failure codes after `failed:`', () => {
  expect(PLAN_NAMES.filter((word) => parsePlan(word) === undefined)).toEqual([])
  for (const group of ['payments', 'payouts']) {
    expect(offered(group, 'create', '--outcome', '')).toEqual(PLAN_NAMES)
    expect(offered(group, 'create', '--outcome', 'failed:')).toEqual(FAILURE_CODE_NAMES.map((code) => `failed:${code}`))
  }
})

test('`payouts settle` offers the results of a payout', () => {
  const results = ['succeeded', 'failed', ...FAILURE_CODE_NAMES.map((code) => `failed:${code}`)]
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
