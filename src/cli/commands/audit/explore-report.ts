// Prints the findings of an exploration, and its summary.
import { countOf } from '../../../domain/count-text.ts'
import type { ExploreReport } from '../../../explore/explore-options.ts'
import { type Finding, type FindingRow, linesOf, notesOf, TABLE_HEAD } from '../../../explore/finding.ts'
import { SITUATION_TITLES } from '../../../explore/situations.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { wrapWords } from '../../../terminal/wrap-words.ts'
import { wrapBlock, wrapLine, wrapProse } from '../../output/lines.ts'
import type { Output } from '../../output/output.ts'

/** Maximum columns of text. Longer lines are hard to read, even if the terminal is wider. */
const WIDTH = 78
const LABEL_WIDTH = 10

export interface SavedFinding {
  readonly file: string | undefined
  /** The command that replays the finding or, if there is no file, a sentence that says how to get one. */
  readonly replay: string
}

export function printFinding(out: Output, finding: Finding, { file, replay }: SavedFinding): void {
  const { id, title, got, expected, why, fix, rate, rows } = finding
  out.line()
  const heading = `${out.paint.bold(id)}: ${sanitizeLine(title)}`
  out.line(wrapProse(heading, lineWidth(out), `${out.paint.bad('found')}  `))
  for (const line of tableLines(rows, out)) out.line(`  ${line}`)
  for (const note of notesOf(finding)) out.line(wrapProse(note, lineWidth(out), '  '))
  const rateField = rate.of === 1 ? [] : [['rate', `fails ${rate.failed} of ${rate.of} times`]]
  for (const [label = '', text = ''] of [
    ['got', got],
    ['expected', expected],
    ...rateField,
    ['why', why],
    ['fix', fix],
  ])
    printField(out, label, text)
  // The command is not wrapped, because a wrapped one could not be pasted.
  if (file === undefined) printField(out, 'replay', replay)
  else out.line(`  ${out.paint.dim('replay'.padEnd(LABEL_WIDTH))}${replay}`)
}

function printField(out: Output, label: string, text: string): void {
  const head = `  ${out.paint.dim(label.padEnd(LABEL_WIDTH))}`
  out.line(wrapProse(sanitizeLine(text), widthOf(out), head))
}

function widthOf({ columns = WIDTH }: Output): number {
  return Math.min(WIDTH, columns)
}

/** Outside a terminal, sentences that a script may search for are not wrapped. */
function lineWidth(out: Output): number {
  return out.columns === undefined ? Infinity : widthOf(out)
}

/**
 * Aligns the columns. If they do not fit into the terminal, the states of a message are printed below it. If its name
 * and its response do not fit either, the response is printed below it too.
 */
function tableLines(rows: readonly FindingRow[], { columns = Infinity }: Output): string[] {
  const cells = linesOf(rows).map(({ label, sent, response, state, expected }) =>
    [label, sent, response, state, expected].map((cell) => sanitizeLine(cell)),
  )
  const lines = alignedLines([['', ...TABLE_HEAD], ...cells])
  if (lines.every((line) => line.length + 2 <= columns)) return lines
  const [head = '', ...messages] = alignedLines([
    ['', ...TABLE_HEAD.slice(0, 2)],
    ...cells.map((row) => row.slice(0, 3)),
  ])
  const width = Math.max(1, ...cells.map(([label = '']) => label.length))
  const below = (row: readonly string[], from: number) => linesBelow(row, from, width + 2, columns - 2)
  if ([head, ...messages].every((line) => line.length + 2 <= columns))
    return [head, ...messages.flatMap((line, at) => [line, ...below(cells[at] ?? [], 2)])]
  return cells.flatMap((row) => {
    const [label = '', sent = ''] = row
    return [...wrapBlock(sent, columns - 2, `${label.padEnd(width)}  `, ' '.repeat(width + 2)), ...below(row, 1)]
  })
}

/**
 * Returns the cells of a message as lines with their titles.
 * @param from the first column, as an index of TABLE_HEAD
 */
function linesBelow(row: readonly string[], from: number, indent: number, columns: number): string[] {
  const titles = TABLE_HEAD.slice(from)
  return titles.flatMap((title, at) => {
    const text = row[from + at + 1] ?? ''
    if (text === '') return []
    return wrapBlock(text, columns, `${' '.repeat(indent)}${title.padEnd(16)}`, ' '.repeat(indent + 16))
  })
}

function alignedLines(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const END_TEXTS: { readonly [end in ExploreReport['end']]: string } = {
  time: 'The time limit was reached.',
  deliveries: 'The limit of --deliveries was reached.',
  findings: 'The search ended after enough findings. Fix these first.',
  interrupted: 'The search was interrupted.',
  orders: 'All orders of --order-id were used. --order-url or --order-cmd creates more.',
  'handler stopped': 'The search ended because the handler no longer accepts connections. See its log.',
  'all refused':
    'The search ended because the handler rejected every simple story. Run `psp audit` without --explore first.',
  'no effect': 'The search ended because no probe changed in any simple story.',
  'handler hangs': 'The search ended because the handler does not respond. Fix this first.',
  'order failed': 'The search ended because no order could be created.',
  'probe failed': 'The search ended because a probe failed.',
}

export function printSummary(out: Output, report: ExploreReport): void {
  const { findings, stories, deliveries, shrinking, situations, notJudged, unconfirmed, end, failure, seed } = report
  const missing = SITUATION_TITLES.filter((title) => !situations.includes(title))
  out.line()
  printBlock(out, `Reached: ${situations.length === 0 ? 'nothing' : situations.join('; ')}`)
  if (situations.length > 0 && missing.length > 0) printBlock(out, `Not reached: ${missing.join('; ')}`)
  for (const { what, why, fix } of notJudged) {
    out.line()
    const head = `${out.paint.warn('not judged')}  `
    out.line(wrapProse(sanitizeLine(`${what}. ${why}`), lineWidth(out), head))
    printField(out, 'fix', fix)
  }
  if (notJudged.length > 0) out.line()
  if (unconfirmed > 0)
    out.warn(
      `${countOf(unconfirmed, 'group of cases', 'groups of cases')} failed while other cases ran at the same time, but passed alone. If the handler works in the background, raise --probe-settle.`,
    )
  printBlock(out, failure === undefined ? END_TEXTS[end] : `${END_TEXTS[end]} ${sanitizeLine(failure)}`, lineWidth(out))
  const paint = findings.length === 0 ? out.paint.good : out.paint.bad
  const found = paint(countOf(findings.length, 'finding'))
  const more = shrinking > 0 ? `, plus ${shrinking} to shrink findings` : ''
  const from = `${countOf(stories, 'story', 'stories')} and ${countOf(deliveries, 'delivery', 'deliveries')}`
  out.line(wrapLine(`${found} in ${from}${more}, seed ${seed}`, out.columns, '  '))
}

function printBlock(out: Output, text: string, width = widthOf(out)): void {
  const [first = '', ...rest] = wrapWords(text, width - 2)
  out.line(first)
  for (const line of rest) out.line(`  ${line}`)
}

/** One line of `--json`. */
export function findingLine(finding: Finding, { file, replay }: SavedFinding): object {
  const { id, title, deliveries, steps, rate, got, expected, why, fix, shrunk, rows } = finding
  return {
    type: 'finding',
    id,
    title,
    deliveries,
    steps,
    rate: rate.failed / rate.of,
    repeats: rate.of,
    shrunk,
    ...(file && { file }),
    replay,
    got,
    expected,
    why,
    fix,
    rows,
  }
}

/** The last line of `--json`. */
export function summaryLine(report: ExploreReport): object {
  const { findings, stories, deliveries, shrinking, situations, volatile, silent, notJudged } = report
  const { unconfirmed, end, failure, seed } = report
  return {
    type: 'summary',
    findings: findings.length,
    stories,
    deliveries,
    shrinking,
    situations,
    volatile,
    silent,
    not_judged: notJudged,
    unconfirmed,
    end,
    ...(failure !== undefined && { failure }),
    seed,
  }
}
