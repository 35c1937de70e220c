import { expect, test } from 'vitest'
import { groupBy } from '../../src/domain/group-by.ts'

test('items are grouped in the order of the first item of each group, and items without a key are left out', () => {
  const groups = groupBy(['b1', '', 'a1', 'b2'], (text) => text[0])
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ])
})
