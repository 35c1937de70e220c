import { capitalize } from '../../../domain/characters.ts'
import { countOf } from '../../../domain/count-text.ts'
import type { CompareReport, ReportedDifference } from '../../../recordings/compare/compare-recording.ts'
import { DIFFERENCE_KINDS, type DifferenceKind } from '../../../recordings/compare/difference.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { wrapLine } from '../../output/lines.ts'
import type { Output } from '../../output/output.ts'
import { type Column, printTable } from '../../output/table.ts'

interface Comparison {
  readonly file: string
  readonly report: CompareReport
  /** The number of entries that are not calls of the public API. */
  readonly otherEntries: number
  /** Whether the proposed settings were written. */
  readonly applied: boolean
  /** The comparison with the written settings. */
  readonly after: { readonly differences: readonly RemainingDifference[] } | undefined
}

export interface RemainingDifference extends ReportedDifference {
  /** Why psp.config.json does not remove it: `no setting changes it`, or the flag or variable that overrides it. */
  readonly reason: string
}

/** Columns of a value in a narrow terminal. */
const NARROW_WIDTH = 12

const COLUMNS: readonly Column<ReportedDifference>[] = [
  { title: 'operation', cell: ({ operation }) => operation.replace('/v1/public', ''), minWidth: 18 },
  { title: 'field', cell: ({ at }) => at, short: { cell: ({ at }) => at.replace(/^.*\./, '…') }, minWidth: 12 },
  valueColumn('recorded'),
  valueColumn('sandbox'),
  { title: 'times', cell: ({ count }) => count, right: true },
  { title: 'entry', cell: ({ entry }) => entry, right: true },
  { title: 'setting', cell: ({ setting }) => setting },
]

/** Narrow columns show the end of values of different formats, and the beginning of other values. They differ there. */
function valueColumn(name: 'recorded' | 'sandbox'): Column<ReportedDifference> {
  const end = (text: string) => (text.length > NARROW_WIDTH ? `…${text.slice(1 - NARROW_WIDTH)}` : text)
  return {
    title: name,
    cell: (difference) => difference[name],
    short: { cell: (difference) => (difference.kind === 'format' ? end(difference[name]) : difference[name]) },
    minWidth: NARROW_WIDTH,
  }
}

const REMAINING_COLUMNS: readonly Column<RemainingDifference>[] = [
  { title: 'kind', cell: ({ kind }) => kind },
  ...COLUMNS.filter(({ title }) => title !== 'times' && title !== 'setting'),
  { title: 'why', cell: ({ reason }) => reason, minWidth: 12 },
]

/** Prints a table for each kind of difference, then the settings that remove differences. */
export async function printComparison(
  out: Output,
  { file, report, otherEntries, applied, after }: Comparison,
): Promise<void> {
  const { differences, compared, without_body, skipped, proposals, remaining } = report
  for (const kind of Object.keys(DIFFERENCE_KINDS) as DifferenceKind[]) {
    const rows = differences.filter((difference) => difference.kind === kind)
    if (rows.length === 0) continue
    out.line(wrapLine(`${out.paint.bold(capitalize(DIFFERENCE_KINDS[kind]))} (${rows.length})`, out.columns, ''))
    await printTable(out, COLUMNS, rows, '')
    out.line()
  }
  for (const { reason, count } of skipped) out.note(out.notePaint.dim(`Not compared: ${count}, because ${reason}.`))
  if (otherEntries > 0)
    out.note(
      out.notePaint.dim(
        `Not compared: ${otherEntries}, because ${otherEntries === 1 ? 'it does' : 'they do'} not belong to the public API.`,
      ),
    )
  if (without_body > 0) {
    const bodies = countOf(without_body, 'response body', 'response bodies')
    out.note(
      out.notePaint.dim(
        `Not compared: ${bodies}, because the recording does not contain ${without_body === 1 ? 'it' : 'them'}.`,
      ),
    )
  }
  const exchanges = countOf(compared, 'exchange')
  if (differences.length === 0) {
    // If no body was compared, the command ends with an error instead.
    if (without_body < compared) out.line(out.paint.good(`No difference in ${exchanges}.`))
    return
  }
  out.line(`${countOf(differences.length, 'difference')} in ${exchanges}.`)
  if (proposals.length === 0) {
    out.line(differences.length === 1 ? 'No setting removes it.' : 'No setting removes them.')
    return
  }
  const pairs = proposals.map(
    ({ setting, value }) => `${setting}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const removed = `Settings that remove ${differences.length - remaining} of them, each checked by a replay:`
  out.line(wrapLine(removed, out.columns, ''))
  for (const pair of pairs) out.line(`  ${out.paint.name(sanitizeLine(pair))}`)
  if (applied) out.note(`Written to ${CONFIG_FILE}.`)
  if (after !== undefined) await printRemaining(out, after.differences)
  else out.note(out.notePaint.dim(`\`psp compare ${file} --apply\` writes them to ${CONFIG_FILE}.`))
}

async function printRemaining(out: Output, differences: readonly RemainingDifference[]): Promise<void> {
  const count = countOf(differences.length, 'difference remains', 'differences remain')
  const line = `Compared again with these settings: ${count}`
  if (differences.length === 0) {
    out.line(wrapLine(out.paint.good(`${line}.`), out.columns, ''))
    return
  }
  out.line(wrapLine(`${line}:`, out.columns, ''))
  await printTable(out, REMAINING_COLUMNS, differences, '')
}
