// Prints findings: what is wrong, the smallest case as a table, how to replay it, and how to fix it.
import { countOf } from '../../../domain/count-text.ts'
import type { ExploreReport } from '../../../explore/explore-options.ts'
import { type Finding, type FindingRow, linesOf } from '../../../explore/finding.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { wrapWords } from '../../../terminal/wrap-words.ts'
import type { Output } from '../../output/output.ts'

const WIDTH = 78

export function printFinding(out: Output, finding: Finding, file: string | undefined): void {
  const { id, title, got, expected, why, fix, rate, shrunk, repeated, rows } = finding
  out.line()
  out.line(`${out.paint.bad('found')}  ${out.paint.bold(id)}: ${sanitizeLine(title)}`)
  for (const line of tableLines(rows)) out.line(`  ${line}`)
  if (repeated) out.line('  Then all events are sent again.')
  if (!shrunk) out.line('  The case was not shrunk to its end, so a smaller one may exist.')
  const often = rate.of === 1 ? [] : [['rate', `fails ${rate.failed} of ${rate.of} times`]]
  const replay = file === undefined ? [] : [['replay', `psp audit URL --probe … --replay ${file}`]]
  const fields = [['got', got], ['expected', expected], ...often, ['why', why], ['fix', fix], ...replay]
  for (const [label = '', text = ''] of fields) {
    const [first = '', ...rest] = wrapWords(sanitizeLine(text), WIDTH - 12)
    out.line(`  ${out.paint.dim(label.padEnd(10))}${first}`)
    for (const line of rest) out.line(`  ${' '.repeat(10)}${line}`)
  }
}

const TITLES = ['', 'sent', 'response', 'state after it', 'true state'] as const

/** Returns the rows as aligned columns. Messages of one round are sent at the same time. */
function tableLines(rows: readonly FindingRow[]): string[] {
  const cells = linesOf(rows).map(({ label, sent, response, state, expected }) =>
    [label, sent, response, state, expected].map((cell) => sanitizeLine(cell)),
  )
  const table = [[...TITLES], ...cells]
  const widths = TITLES.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const ENDS: { readonly [end in ExploreReport['end']]: string } = {
  time: 'The time limit was reached.',
  deliveries: 'The limit of --deliveries was reached.',
  findings: 'The search ended after enough findings. Fix these first.',
  interrupted: 'The search was interrupted.',
  orders: 'All orders of --order-id were used. --order-url or --order-cmd creates more.',
  'handler stopped': 'The search ended because the handler no longer accepts connections. See its log.',
  'all refused':
    'The search ended because the handler refused every simple story. Run psp audit without --explore first.',
  'no effect': 'The search ended because no probe changed in any simple story.',
  'handler hangs': 'The search ended because the handler does not respond. Fix this first.',
  'order failed': 'The search ended because no order could be created.',
  'probe failed': 'The search ended because a probe failed.',
}

export function printSummary(out: Output, report: ExploreReport): void {
  const { findings, stories, deliveries, shrinking, situations, volatile, silent, unconfirmed, end, failure, seed } =
    report
  out.line()
  out.line(`Reached: ${situations.length === 0 ? 'nothing' : situations.join('; ')}`)
  if (volatile.length > 0)
    out.warn(
      `volatile: ${volatile.join(', ')} differ between two in-order runs of the same story, so they are not judged.`,
    )
  if (silent.length > 0 && end !== 'no effect')
    out.warn(`${silent.join(', ')} did not change in any simple story, so nothing is judged by it.`)
  if (unconfirmed > 0)
    out.warn(
      `${countOf(unconfirmed, 'group of cases', 'groups of cases')} failed next to others and passed alone. If the handler works in the background, raise --probe-settle.`,
    )
  out.line(failure === undefined ? ENDS[end] : `${ENDS[end]} ${sanitizeLine(failure)}`)
  const paint = findings.length === 0 ? out.paint.good : out.paint.bad
  const found = paint(countOf(findings.length, 'finding'))
  const more = shrinking > 0 ? `, plus ${shrinking} to shrink findings` : ''
  out.line(
    `${found} in ${countOf(stories, 'story', 'stories')} and ${countOf(deliveries, 'delivery', 'deliveries')}${more}, seed ${seed}`,
  )
}

/** One line of `--json`. */
export function findingLine(finding: Finding, file: string | undefined): object {
  const { id, title, deliveries, steps, rate, got, expected, why, fix, shrunk, rows } = finding
  const often = { rate: rate.failed / rate.of, repeats: rate.of }
  return {
    type: 'finding',
    id,
    title,
    deliveries,
    steps,
    ...often,
    shrunk,
    ...(file && { file }),
    got,
    expected,
    why,
    fix,
    rows,
  }
}

/** The last line of `--json`. */
export function summaryLine(report: ExploreReport): object {
  const { findings, stories, deliveries, shrinking, situations, volatile, silent, unconfirmed, end, failure, seed } =
    report
  return {
    type: 'summary',
    findings: findings.length,
    stories,
    deliveries,
    shrinking,
    situations,
    volatile,
    silent,
    unconfirmed,
    end,
    ...(failure !== undefined && { failure }),
    seed,
  }
}
