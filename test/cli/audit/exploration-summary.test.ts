// The end of `psp audit --explore`: what was reached, what was not judged, and why the search ended.
import { expect, test } from 'vitest'
import { printSummary } from '../../../src/cli/commands/audit/explore-report.ts'
import { PLAIN } from '../../../src/cli/output/colour.ts'
import type { Output } from '../../../src/cli/output/output.ts'
import type { ExploreReport } from '../../../src/explore/explore-options.ts'
import { SITUATION_TITLES } from '../../../src/explore/situations.ts'
import { EMPTY_REPORT } from '../../explore/empty-report.ts'

const REPORT: ExploreReport = {
  ...EMPTY_REPORT,
  seed: 7,
  stories: 1,
  deliveries: 12,
  situations: SITUATION_TITLES,
}

/** Returns the lines on stdout, and the warnings. */
function summaryOf(report: Partial<ExploreReport>) {
  const lines: string[] = []
  const warnings: string[] = []
  const out = {
    paint: PLAIN,
    columns: undefined,
    line: (text = '') => void lines.push(...text.split('\n')),
    warn: (text: string) => void warnings.push(text),
  }
  printSummary(out as unknown as Output, { ...REPORT, ...report })
  return { lines, warnings }
}

test('a search without findings ends with the reason and the counts', () => {
  const { lines, warnings } = summaryOf({})
  expect(lines.slice(-2)).toEqual(['The time limit was reached.', '0 findings in 1 story and 12 deliveries, seed 7'])
  expect(warnings).toEqual([])
})

test('the counts of a search with findings include the deliveries to shrink them', () => {
  const { lines } = summaryOf({ findings: [{}] as never, stories: 2, deliveries: 1, shrinking: 3, end: 'findings' })
  expect(lines.slice(-2)).toEqual([
    'The search ended after enough findings. Fix these first.',
    '1 finding in 2 stories and 1 delivery, plus 3 to shrink findings, seed 7',
  ])
})

test('situations that were not reached are listed if any was', () => {
  const [first = '', ...missing] = SITUATION_TITLES
  const some = summaryOf({ situations: [first] })
    .lines.join(' ')
    .replaceAll(/\s+/g, ' ')
  expect(some).toContain(`Reached: ${first} Not reached: ${missing.join('; ')} The time limit`)
  expect(summaryOf({ situations: [] }).lines.slice(0, 3)).toEqual([
    '',
    'Reached: nothing',
    'The time limit was reached.',
  ])
})

test('each part that was not judged is listed with its reason and a fix', () => {
  const notJudged = [{ what: 'Refunds', why: 'No probe shows them.', fix: 'Add a probe.' }] as never
  const { lines } = summaryOf({ notJudged })
  const at = lines.findIndex((line) => line.startsWith('not judged'))
  expect(lines.slice(at - 1, at + 4)).toEqual([
    '',
    'not judged  Refunds. No probe shows them.',
    '  fix       Add a probe.',
    '',
    'The time limit was reached.',
  ])
})

test.each([
  [1, '1 group of cases'],
  [2, '2 groups of cases'],
])('a warning names %d cases that failed only while other cases ran', (unconfirmed, count) => {
  expect(summaryOf({ unconfirmed }).warnings).toEqual([
    `${count} failed while other cases ran at the same time, but passed alone. If the handler works in the background, raise --probe-settle.`,
  ])
})

test('the failure that ended a search follows its reason, without escape sequences', () => {
  expect(summaryOf({ end: 'probe failed', failure: 'exit 1\u001b[31m' }).lines.at(-2)).toBe(
    'The search ended because a probe failed. exit 1',
  )
})
