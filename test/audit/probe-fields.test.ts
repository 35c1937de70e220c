// The fields of a probe's value.
import { describe, expect, test } from 'vitest'
import {
  dependsOnDeliveryOrder,
  differing,
  entryOf,
  fieldsOf,
  isHistory,
  isInList,
  isOwnId,
  keyOf,
} from '../../src/audit/probe-fields.ts'

const fields = (value: unknown, restless?: ReadonlySet<string>) =>
  Object.fromEntries(fieldsOf(typeof value === 'string' ? value : JSON.stringify(value), [], restless))

const ID = (digit: number) => `5a0d0000-0000-4000-8000-00000000000${digit}`

describe('the fields of a value', () => {
  test('have paths, and text that is not JSON is one field', () => {
    expect(fields({ a: { b: [true, null] }, c: 1 })).toEqual({ '$.a.b[0]': null, '$.a.b[1]': true, '$.c': 1 })
    expect([fields(' paid '), fields('7'), fields(''), fields(' \n')]).toEqual([{ $: 'paid' }, { $: 7 }, {}, {}])
  })

  test('do not depend on the order of a list', () => {
    const items = [{ n: 2 }, { n: 1 }, { n: 1, more: true }]
    expect(fields(items)).toEqual(fields(items.toReversed()))
    expect(fields(['b', 'a', 'c'])).toEqual({ '$[0]': 'a', '$[1]': 'b', '$[2]': 'c' })
  })

  test('compare items of a list without their generated ids', () => {
    const one = fields([
      { id: 'z', note: ID(9), sum: 1 },
      { id: 'a', note: ID(1), sum: 2 },
    ])
    expect([one['$[0].sum'], one['$[1].sum']]).toEqual([1, 2])
    const same = fields([
      { id: 'b', sum: 1 },
      { id: 'a', sum: 1 },
    ])
    expect([same['$[0].id'], same['$[1].id']]).toEqual(['a', 'b'])
  })

  test('have a placeholder for each key that is a generated id', () => {
    expect(fields({ [ID(1)]: 1, [ID(2)]: 2, [ID(3)]: 3 })).toEqual({
      '$.{generated id}': 1,
      '$.{generated id 2}': 2,
      '$.{generated id 3}': 3,
    })
  })

  test('have a placeholder for numbers as keys only if all keys are numbers', () => {
    expect(fields({ 1: 'a', 2: 'b' })).toEqual({ '$.{number}': 'a', '$.{number 2}': 'b' })
    expect(fields({ 1: 'a', x2: 'b' })).toEqual({ '$.1': 'a', '$.x2': 'b' })
    expect(fields({ '1a': 'a' })).toEqual({ '$.1a': 'a' })
    expect(fields({})).toEqual({})
  })

  test('omit those that change by themselves', () => {
    expect(fields({ a: 1, b: 2 }, new Set(['$.a']))).toEqual({ '$.b': 2 })
    expect(fields({ [ID(1)]: 1, b: 2 }, new Set(['$.{}']))).toEqual({ '$.b': 2 })
  })
})

test('two values differ in each path whose value is not the same in both', () => {
  const one = new Map<string, number | null>([
    ['a', 1],
    ['b', null],
    ['c', 1],
  ])
  const other = new Map<string, number | null>([
    ['a', 1],
    ['c', 2],
    ['d', 1],
  ])
  expect(differing(one, other)).toEqual(['b', 'c', 'd'])
})

describe('a path', () => {
  test('has a last key without positions', () => {
    expect(['$', '$.a', '$.a.b[0]', '$.a[10][2]', '$[0].c'].map(keyOf)).toEqual(['$', 'a', 'b', 'a', 'c'])
  })

  test('is in a list, or in an entry whose key is an id', () => {
    expect([isInList('$.a[0].b'), isInList('$.a.b')]).toEqual([true, false])
    expect(['$.tries.{payment_id}', '$.tries.{id}x.sum', '$.a.b', '{id}'].map(entryOf)).toEqual([
      '$.tries.{payment_id}',
      '$.tries.{id}x.sum'.replace('.sum', ''),
      undefined,
      undefined,
    ])
    expect([isOwnId('$.a.payment_id'), isOwnId('$.payment_id.a')]).toEqual([true, false])
  })

  test('depends on the order of delivery if it is a history, or about the last event', () => {
    expect(['$.tries', '$.events[0].name', '$.last_event', '$.a.failReason'].map(dependsOnDeliveryOrder)).toEqual(
      Array(4).fill(true),
    )
    expect(['$.status', '$.events.name', '$.rows[0].name', '$.last.sum'].map(dependsOnDeliveryOrder)).toEqual(
      Array(4).fill(false),
    )
    expect([isHistory('$.last'), isHistory('$.attempts')]).toEqual([false, true])
  })
})
