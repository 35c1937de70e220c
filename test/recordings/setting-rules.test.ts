import { expect, test } from 'vitest'
import type { Difference } from '../../src/recordings/compare/difference.ts'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { serviceClock } from '../../src/recordings/compare/service-clock.ts'
import { SETTING_RULES } from '../../src/recordings/compare/setting-rules.ts'

test('the limit of bodies is found in a recording with more calls than a function may have arguments', () => {
  const call = (size: number, status: number) => ({ size, status }) as RecordedCall
  const calls = [...Array.from({ length: 200_000 }, () => call(3000, 201)), call(5000, 413)]
  const detail = { recorded: { status: 413 }, sandbox: { status: 201 }, call: calls.at(-1) }
  const values = { at: '', recorded: '413', sandbox: '201' }
  const difference: Difference = { kind: 'status', operation: 'POST', entry: 1, ...values, detail }
  const rule = SETTING_RULES.find(({ setting }) => setting === 'body_limit')
  expect(rule?.values([difference], { calls, clock: serviceClock([]) })).toEqual([4096, 3000])
})
