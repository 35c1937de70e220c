import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FAILURE_CODES } from '../../src/domain/failure-codes.ts'
import {
  closestPlan,
  explainInvalidPlan,
  formatPlan,
  ignoredPlan,
  PLAN_NAMES,
  PLANNED_ERRORS,
  type Plan,
  parsePlan,
  plannedOutcome,
} from '../../src/domain/simulator-plan.ts'

const heads = [
  'succeeded',
  'requires_action',
  'pending',
  'cut',
  ...Object.keys(FAILURE_CODES).flatMap((code) => [`failed:${code}`, `refused:${code}`]),
  ...PLANNED_ERRORS.map((code) => `error:${code}`),
]

describe('plans as text', () => {
  test('a formatted plan parses to the same plan, with and without a delay', () => {
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.option(fc.nat(1e9), { nil: undefined }), (head, delay) => {
        const plan = { ...(parsePlan(head) as Plan), ...(delay === undefined ? {} : { delay }) }
        expect(parsePlan(formatPlan(plan))).toEqual(plan)
      }),
    )
  })

  test('the plan failed without a code is do_not_honor', () => {
    expect(parsePlan('failed')).toEqual({ outcome: 'failed', code: 'do_not_honor' })
    expect(parsePlan(' failed:card_lost@30s ')).toEqual({ outcome: 'failed', code: 'card_lost', delay: 30_000 })
  })

  test.each([
    '',
    'won',
    'failed:',
    'failed:nope',
    'failed:__proto__',
    'failed@',
    'failed@5',
    'succeeded:x',
    'error',
    'error:bad_request',
    'pending@1s@2s',
  ])('the text %j is not a plan', (text) => {
    expect(parsePlan(text)).toBeUndefined()
  })
})

test.each([
  ['faild', 'failed'],
  ['failed:insuficient_funds', 'failed:insufficient_funds'],
  ['Pending@30s', 'pending@30s'],
  ['failed@30', 'failed@30s'],
  ['paied', 'succeeded'],
  ['declind@5', 'failed@5s'],
  ['SUCCESS', 'succeeded'],
  ['failed@soon', 'failed'],
  ['won', undefined],
])('the closest plan to %j is %j', (text, near) => {
  expect(closestPlan(text)).toBe(near)
  if (near !== undefined && !text.includes(':')) expect(explainInvalidPlan(text)).toContain(`Did you mean ${near}?`)
})

test.each([
  [
    { mode: 'test', simulate: 'faild' },
    { text: 'faild', closest: 'failed' },
  ],
  [{ mode: 'test', simulate: 'failed' }, undefined],
  [{ mode: 'live', simulate: 'faild' }, undefined],
  [{ mode: 'test' }, undefined],
])('the ignored plan of the metadata %j is %j', (metadata, ignored) => {
  expect(ignoredPlan(metadata as Record<string, string>)).toEqual(ignored)
})

test.each([
  ['succeeded', 'succeeded'],
  ['failed:card_lost', 'failed'],
  ['refused:card_lost', 'failed'],
  ['error:aml_blocked', 'failed'],
  ['cut', 'succeeded'],
  ['pending', 'pending'],
  ['requires_action', 'requires_action'],
])('the outcome of the plan %s is shown as %s', (text, outcome) => {
  expect(plannedOutcome(parsePlan(text) as Plan)).toBe(outcome)
})

test.each([
  ['declined', 'failed'],
  ['decline', 'failed'],
  ['error', 'failed'],
  ['paid', 'succeeded'],
  ['ok', 'succeeded'],
  ['insufficient_funds', 'failed:insufficient_funds'],
  ['OK@30', 'succeeded@30s'],
])('closestPlan of %s, a term of other services, is %s', (text, near) => {
  expect(closestPlan(text)).toBe(near)
})

test('each name of a plan is a plan, and is the closest one to itself', () => {
  expect(PLAN_NAMES.slice(0, 5)).toEqual(['succeeded', 'failed', 'requires_action', 'pending', 'cut'])
  for (const name of PLAN_NAMES) expect([parsePlan(name) === undefined, closestPlan(name)]).toEqual([false, name])
})
