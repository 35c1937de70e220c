import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../src/domain/fault-syntax.ts'
import { matches, nextPlan, type Rule } from '../../src/domain/faults.ts'
import { parseDuration } from '../../src/domain/time.ts'

/** A simple and slow matcher to compare with. */
function naive(pattern: string, text: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*')
  return new RegExp(`^${source}$`).test(text)
}

test.each(['stale', 'future'])('the example of %s has a time that a correct handler rejects', (name) => {
  const [, offset = ''] = exampleOf('webhook', name).split(':')
  expect(parseDuration(offset)).toBeGreaterThan(300_000)
})

describe('match', () => {
  test('each field must match, numbers and texts alike', () => {
    const facts = { operation: 'payment', amount: 150_000, order_id: 'A-7' }
    expect(matches({}, facts)).toBe(true)
    expect(matches({ operation: 'payment', amount: 150_000 }, facts)).toBe(true)
    expect(matches({ operation: 'payment', amount: '150000' }, facts)).toBe(true)
    expect(matches({ operation: 'refund', amount: 150_000 }, facts)).toBe(false)
    expect(matches({ phone: '*' }, facts)).toBe(false)
    expect(matches({ amount: '150*' }, facts)).toBe(true)
  })

  test('a star matches any characters', () => {
    const letters = fc.constantFrom('a', 'b', '*', '.', '\n')
    const patterns = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''))
    const texts = fc.array(fc.constantFrom('a', 'b', '.', '\n'), { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(matches({ order_id: pattern }, { order_id: text })).toBe(naive(pattern, text))
      }),
      { numRuns: 2000 },
    )
  })
})

test('a sequence of plans repeats its last plan', () => {
  const rule = (plan: Rule['plan'], applied: number) => ({ plan, applied }) as Rule
  const sequence = ['failed', 'pending', 'succeeded']
  expect([0, 1, 2, 3].map((applied) => nextPlan(rule(sequence, applied)))).toEqual([...sequence, 'succeeded'])
  expect(nextPlan(rule('cut', 9))).toBe('cut')
})
