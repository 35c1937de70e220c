import { expect, test } from 'vitest'
import { type FindingRow, linesOf } from '../../src/explore/finding.ts'

const row = (round: number, sent: string, response = '200'): FindingRow => ({
  round,
  sent,
  response,
  state: '',
  expected: '',
})
const labels = (rows: readonly FindingRow[]) => linesOf(rows).map(({ label, sent }) => `${label} ${sent}`)

test('messages that are sent again with the same response are one line', () => {
  expect(labels([row(1, 'a'), row(2, 'b', '500'), row(3, 'b', '500'), row(4, 'b'), row(5, 'b')])).toEqual([
    '1 a',
    '2-3 b',
    '4-5 b',
  ])
})

test('messages that are sent at the same time have a line each', () => {
  expect(labels([row(1, 'a'), row(2, 'a'), row(2, 'a'), row(2, 'b'), row(3, 'b'), row(4, 'b')])).toEqual([
    '1 a',
    '2 a',
    '+ a',
    '+ b',
    '3-4 b',
  ])
})
