// The table of a finding in a terminal.
import { describe, expect, test } from 'vitest'
import { printFinding } from '../../../src/cli/commands/audit/explore-report.ts'
import { PLAIN } from '../../../src/cli/output/colour.ts'
import type { Output } from '../../../src/cli/output/output.ts'
import type { Finding, FindingRow } from '../../../src/explore/finding.ts'

const REFUNDED = 'payment.refunded p1 of another order (a refund failed, 300.00 of 1000.00 refunded)'

function linesAt(columns: number | undefined, rows: readonly FindingRow[]): string[] {
  const lines: string[] = []
  const out = { paint: PLAIN, columns, line: (text = '') => void lines.push(...text.split('\n')) }
  const texts = { title: 'a', got: 'b', expected: 'c', why: 'd', fix: 'e' }
  const finding = { id: 'truth', ...texts, rate: { failed: 1, of: 1 }, rows, repeated: false, shrunk: true }
  printFinding(out as unknown as Output, finding as unknown as Finding, { file: undefined, replay: 'f' })
  const [, , ...rest] = lines
  return rest.slice(
    0,
    rest.findIndex((line) => line.startsWith('  got')),
  )
}

const row = (round: number, sent: string, state: string): FindingRow => ({
  round,
  sent,
  response: 'none in time',
  state,
  expected: state,
})

describe('the table of a finding', () => {
  test('has a column for each part if it fits', () => {
    expect(linesAt(undefined, [row(1, REFUNDED, 'status=paid')])).toEqual([
      `     sent${' '.repeat(REFUNDED.length - 4)}  response      state after it  true state`,
      `  1  ${REFUNDED}  none in time  status=paid     status=paid`,
    ])
  })

  test('prints the states below a message if only its name and its response fit', () => {
    const state = 'status=paid refunded=30000 captured=100000 currency=RUB'
    expect(linesAt(80, [row(1, 'payment.succeeded p1 (1000.00)', state)])).toEqual([
      '     sent                            response',
      '  1  payment.succeeded p1 (1000.00)  none in time',
      `     state after it  ${state}`,
      `     true state      ${state}`,
    ])
  })

  test.each([80, 60, 40])('fits in %d columns if the name of a message is longer', (columns) => {
    const lines = linesAt(columns, [row(1, 'payment.succeeded p1 (1000.00)', ''), row(2, REFUNDED, 'status=paid')])
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    expect(lines.join(' ').replace(/ +/g, ' ').trim()).toBe(
      `1 payment.succeeded p1 (1000.00) response none in time 2 ${REFUNDED} response none in time state after it status=paid true state status=paid`,
    )
    expect(lines.filter((line) => line.startsWith('     response        none in time'))).toHaveLength(2)
  })
})
