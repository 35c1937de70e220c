// The orders of a run, if the number that is given is too small, exact or larger than necessary.
import { describe, expect, test } from 'vitest'
import type { Check, MessageValues } from '../../src/audit/check.ts'
import { adjustToReuse, createOrderSupply } from '../../src/audit/orders.ts'

const base = { random: { token: (length: number) => 'x'.repeat(length) } } as Omit<MessageValues, 'order'>

/** A check that uses this number of orders. */
const check = (orders: number, effect: boolean) =>
  ({
    steps(values: MessageValues) {
      for (let n = 0; n < orders; n++) values.order()
      return []
    },
    ...(effect && { judge: () => ({ result: 'pass' }) }),
  }) as unknown as Check

const RESPONSE = check(2, false)
const ONE = check(1, true)
const TWO = check(2, true)
const CHECKS = [RESPONSE, ONE, TWO]

const take = (supply: ReturnType<typeof createOrderSupply>, of: Check | undefined, count: number) => {
  const orders = supply.ordersFor(of)
  return [...Array.from({ length: count }, () => orders.next()), orders.reused()]
}

test('if no orders are given, each order is generated and used once', () => {
  const supply = createOrderSupply([], CHECKS, base)
  expect(supply).toMatchObject({ given: undefined, needed: 4 })
  expect(take(supply, TWO, 2)).toEqual(['audit-xxxxxxxxxxxx', 'audit-xxxxxxxxxxxx', []])
})

test.each([
  [CHECKS, 4],
  [[ONE, TWO], 3],
  [[RESPONSE], 1],
  [[], 1],
])(
  '%# the checks need an order for each payment that a check of an effect makes, and one for all other checks',
  (checks, needed) => {
    expect(createOrderSupply([], checks, base).needed).toBe(needed)
  },
)

test('with enough orders, each check of an effect has separate orders, and the other checks share the rest', () => {
  const supply = createOrderSupply(['a', 'b', 'c', 'd', 'e', 'a'], CHECKS, base)
  expect(supply).toMatchObject({ given: 5, needed: 4 })
  expect(take(supply, undefined, 3)).toEqual(['a', 'b', 'a', []])
  expect(take(supply, ONE, 1)).toEqual(['c', []])
  expect(take(supply, TWO, 2)).toEqual(['d', 'e', []])
  expect(take(supply, RESPONSE, 1)).toEqual(['b', []])
})

test('with exactly the needed orders, the checks without an effect share one', () => {
  const supply = createOrderSupply(['a', 'b', 'c', 'd'], CHECKS, base)
  expect([take(supply, RESPONSE, 2), take(supply, TWO, 2), take(supply, ONE, 1)]).toEqual([
    ['a', 'a', []],
    ['b', 'c', []],
    ['d', []],
  ])
})

test('if the checks of effects use all orders, the other checks share the first one', () => {
  const supply = createOrderSupply(['a', 'b', 'c'], CHECKS, base)
  expect([take(supply, ONE, 1), take(supply, TWO, 2), take(supply, RESPONSE, 1)]).toEqual([
    ['a', []],
    ['b', 'c', []],
    ['a', []],
  ])
})

test('each check names once an order that an earlier payment used', () => {
  const supply = createOrderSupply(['a', 'b'], CHECKS, base)
  expect([take(supply, ONE, 1), take(supply, TWO, 5)]).toEqual([
    ['a', []],
    ['b', 'a', 'b', 'a', 'b', ['a', 'b']],
  ])
})

describe('a finding on used orders', () => {
  const report = { result: 'fail', got: 'closed', fix: 'Keep it paid.' } as const
  const given = { given: 2, needed: 4 }

  test('is a warning if the handler accepted the webhooks', () => {
    expect(adjustToReuse(report, ['a', 'b'], true, given)).toEqual({
      result: 'warn',
      got: 'closed; the orders ran out, and these were used again: a, b',
      fix: 'Give 4 orders: 2 were given with --order-id.',
    })
  })

  test('stays a failure if the handler rejected one', () => {
    expect(adjustToReuse(report, ['a'], false, { given: 1, needed: 4 })).toEqual({
      result: 'fail',
      got: 'closed; the orders ran out, and these were used again: a',
      fix: 'Give 4 orders: 1 was given with --order-id. Keep it paid.',
    })
  })

  test('is unchanged if no order was used again, or the check passed or was skipped', () => {
    expect(adjustToReuse(report, [], true, given)).toBe(report)
    for (const result of ['pass', 'skip'] as const) {
      const other = { ...report, result }
      expect(adjustToReuse(other, ['a'], true, given)).toBe(other)
    }
  })
})
