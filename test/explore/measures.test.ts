// Numbers of the merchant that the search compares with sums, and the draws of the search.
import { describe, expect, test } from 'vitest'
import { numberOf } from '../../src/audit/probe-fields.ts'
import { drawBelow, drawItem, drawWeighted } from '../../src/explore/draw.ts'
import { showLeaf, unexpectedDifferences } from '../../src/explore/order-fields.ts'
import { fittingMeasures, isSameNumber } from '../../src/explore/quantities.ts'

const totals = { received: 1000, refunded: 300, paidOut: 50, paidOrders: 2, paidPayments: 3 } as never

describe('a number of the merchant', () => {
  test.each([
    [700, ['received minus refunded * 1']],
    [650, ['received minus refunded and paid out * 1']],
    [1000, ['received * 1']],
    [300, ['refunded * 1']],
    [50, ['paid out * 1']],
    [2, ['number of paid orders * 1']],
    [3, ['refunded * 0.01', 'number of paid payments * 1']],
    [7, ['received minus refunded * 0.01']],
    [-1000, ['received * -1']],
    [-10, ['received * -0.01']],
    [0.02, []],
    [-2, []],
  ])('the number %d fits the sums %j', (value, measures) => {
    expect(fittingMeasures([{ totals, value }]).map(({ id, factor }) => `${id} * ${factor}`)).toEqual(measures)
  })

  test('fits no sum if it is always zero, and only sums that fit every sample', () => {
    const none = { received: 0, refunded: 0, paidOut: 0, paidOrders: 0, paidPayments: 0 } as never
    expect(fittingMeasures([{ totals: none, value: 0 }])).toEqual([])
    const fitting = fittingMeasures([
      { totals: none, value: 0 },
      { totals, value: 3 },
      { totals: { ...(totals as object), refunded: 400 } as never, value: 3 },
    ])
    expect(fitting.map(({ id }) => id)).toEqual(['number of paid payments'])
  })

  test('equals a number that differs by at most 0.005', () => {
    expect([isSameNumber(0.1 + 0.2, 0.3), isSameNumber(1, 1.0049), isSameNumber(1.0049, 1)]).toEqual([true, true, true])
    expect([isSameNumber(1, 1.0051), isSameNumber(1, 0.9949)]).toEqual([false, false])
  })

  test('may be a text of digits', () => {
    expect([numberOf(5), numberOf('-1500.00'), numberOf('0')]).toEqual([5, -1500, 0])
    expect(['', '1.', '.5', '1e3', ' 1', '1 ', true, null, undefined].map((leaf) => numberOf(leaf))).toEqual(
      Array(9).fill(undefined),
    )
  })
})

test('a value is shown with at most 80 characters', () => {
  expect([showLeaf(undefined), showLeaf(null), showLeaf('x'.repeat(81))]).toEqual(['(nothing)', 'null', 'x'.repeat(80)])
})

test('two states of an order differ unexpectedly unless the field depends on the order of delivery or is an id', () => {
  const id = (digit: number) => `5a0d0000-0000-4000-8000-00000000000${digit}`
  const left = new Map<string, string | number>([
    ['$.status', 'paid'],
    ['$.last_event', 'a'],
    ['$.id', 'x1'],
    ['$.ref', id(1)],
    ['$.note_ref', `of ${id(1)}`],
    ['$.sum', 1],
  ])
  const right = new Map<string, string | number>([
    ['$.status', 'closed'],
    ['$.last_event', 'b'],
    ['$.id', 'x2'],
    ['$.ref', id(2)],
    ['$.note_ref', `for ${id(2)}`],
    ['$.new', 1],
  ])
  expect(unexpectedDifferences(left, right)).toEqual(['$.status', '$.note_ref', '$.sum', '$.new'])
})

describe('a draw', () => {
  const random = (value: number) => ({ draw: () => value })

  test('is below its limit', () => {
    expect([0, 0.33, 0.34, 0.999].map((value) => drawBelow(random(value), 3))).toEqual([0, 0, 1, 2])
    expect([0, 0.999].map((value) => drawItem(random(value), ['a', 'b']))).toEqual(['a', 'b'])
  })

  test('follows the weights, and never draws an item without weight', () => {
    const items = [
      { name: 'never', weight: 0 },
      { name: 'rare', weight: 1 },
      { name: 'often', weight: 3 },
    ]
    const names = [0, 0.249, 0.25, 0.999].map((value) => drawWeighted(random(value), items).name)
    expect(names).toEqual(['rare', 'rare', 'often', 'often'])
  })
})
