import { expect, test } from 'vitest'
import { visibleChildren } from '../../src/dashboard/text/visible-children.ts'

test('the texts of an element are shown without marks that reverse digits, and other children stay', () => {
  const element = { type: 'b' }
  expect(visibleChildren(['order-\u202e1234', ['\u2066x\u001b[31m'], 5, element, null])).toEqual([
    'order-1234',
    ['x'],
    5,
    element,
    null,
  ])
  expect(visibleChildren('a\n\tb')).toBe('a\n\tb')
})
