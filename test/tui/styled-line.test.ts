import { expect, test } from 'vitest'
import { highlight } from '../../src/tui/theme/styled-line.ts'

test('each occurrence of the text that was searched is selected, in capitals too, and the rest keeps its style', () => {
  expect(highlight([['Paid, unpaid', 'success'], 'paid', 'other'], 'paid')).toEqual([
    ['', 'success'],
    ['Paid', 'selected'],
    [', un', 'success'],
    ['paid', 'selected'],
    ['', 'success'],
    ['', 'plain'],
    ['paid', 'selected'],
    ['', 'plain'],
    'other',
  ])
  expect(highlight(['aab'], 'a')).toEqual([
    ['', 'plain'],
    ['a', 'selected'],
    ['', 'plain'],
    ['a', 'selected'],
    ['b', 'plain'],
  ])
})

test('nothing is selected without a searched text, or if capitals and small letters differ in length', () => {
  const spans = ['paid', ['İ paid', 'success']] as const
  expect(highlight(spans, '')).toEqual(spans)
  expect(highlight([spans[1]], 'paid')).toEqual([spans[1]])
})
