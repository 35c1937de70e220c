import { expect, test } from 'vitest'
import { faultTarget, faultText, matchOf, planText } from '../../../src/cli/parsing/parse-plan.ts'
import { PLAN_SYNTAX } from '../../../src/domain/simulator-plan.ts'
import { issueOf } from '../issue-of.ts'

test.each(['succeeded', 'failed:card_lost@30s', 'error:rate_limited', 'cut'])(
  'the plan %j is accepted unchanged',
  (text) => {
    expect(planText(text)).toBe(text)
  },
)

test('the error of an invalid plan suggests the nearest plan, or describes the syntax', () => {
  expect(issueOf(() => planText('faild@30'))).toEqual(['"faild@30" is not a plan.', 'Did you mean failed@30s?'])
  expect(issueOf(() => planText('failed:card_lsot'))).toEqual([
    '"failed:card_lsot" has an unknown failure code.',
    'Did you mean card_lost?',
  ])
  expect(issueOf(() => planText('zzzzzzzz'))).toEqual(['"zzzzzzzz" is not a plan.', `The plans are ${PLAN_SYNTAX}.`])
  expect(issueOf(() => planText('z'.repeat(90)))?.[0]).toBe(`"${'z'.repeat(79)}…" is not a plan.`)
})

test('a target of a fault is one of the known targets', () => {
  expect(faultTarget('webhook')).toBe('webhook')
  expect(issueOf(() => faultTarget('webhok'))).toEqual(['"webhok" is not a valid value.', 'Did you mean webhook?'])
})

test('a fault is accepted unchanged, and the error of an invalid one describes the fault', () => {
  expect(faultText('webhook', 'duplicate:2')).toBe('duplicate:2')
  expect(faultText('redirect', 'drop')).toBe('drop')
  expect(issueOf(() => faultText('webhook', 'duplicat:2'))).toEqual([
    '"duplicat:2" is not a fault of webhook.',
    'Did you mean duplicate?',
  ])
  expect(issueOf(() => faultText('webhook', 'drop:2'))).toEqual([
    '"drop:2": drop takes no value.',
    'Write it as in the examples of `--help`.',
  ])
})

test('a match condition is an object, and the error of an invalid one begins with the flag', () => {
  expect(matchOf([])).toBeUndefined()
  expect(
    matchOf([
      ['order_id', 'a-1'],
      ['metadata.cart', '7'],
    ]),
  ).toEqual({ order_id: 'a-1', 'metadata.cart': '7' })
  expect(matchOf([['event', 'payment.failed']], 'webhook')).toEqual({ event: 'payment.failed' })
  expect(issueOf(() => matchOf([['ordr_id', 'a-1']]))).toEqual([
    '--match ordr_id: unknown field.',
    'Did you mean order_id?',
  ])
  expect(issueOf(() => matchOf([['event', 'payment.failed']]))?.[0]).toBe('--match event: unknown field.')
})
