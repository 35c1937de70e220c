// Converts the report of an exploration to checks, so that it can be written as JUnit and HTML like that of an audit.
import { type AuditReport, type CheckReport, reportOf } from '../audit/run.ts'
import { countOf } from '../domain/count-text.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { ExploreReport } from './explore-options.ts'
import { type Finding, linesOf, notesOf, TABLE_HEAD } from './finding.ts'
import { NO_PROBE, type NotJudged } from './not-judged.ts'
import { ORACLES, type OracleId } from './violation.ts'

/**
 * Each finding is a failed check. A rule without a finding is skipped if no story was finished, warns if it needs a
 * probe and there is none, and passes otherwise. Everything else that was not judged is a warning.
 */
export function exploreChecks(
  target: string,
  report: ExploreReport,
  replayOf?: (finding: Finding) => string,
): AuditReport {
  const rules = Object.keys(ORACLES) as OracleId[]
  const notJudged = report.notJudged.filter((one) => one !== NO_PROBE)
  return reportOf(target, [...rules.flatMap((id) => checksOf(id, report, replayOf)), ...notJudged.map(notJudgedCheck)])
}

function notJudgedCheck({ what, why, fix }: NotJudged): CheckReport {
  return {
    id: 'probes',
    title: 'the probes show the effect of each event',
    result: 'warn',
    sent: 'simple stories: a payment, refunds and failures',
    expected: 'values that depend on what happened',
    got: `${what} not judged: ${why}`,
    why: 'A bug that no probe shows is not found.',
    fix,
  }
}

const HOLDS = 'the rule holds in each story'

function checksOf(id: OracleId, report: ExploreReport, replayOf?: (finding: Finding) => string): CheckReport[] {
  const { findings, stories, notJudged } = report
  const found = findings.filter((finding) => finding.id === id)
  if (found.length > 0) return found.map((finding) => failedCheck(finding, replayOf?.(finding)))
  const { title, why, fix } = ORACLES[id]
  if (stories === 0)
    return [{ id, title, result: 'skip', sent: 'nothing', expected: HOLDS, got: 'no story was finished', why, fix }]
  const sent = sentText(report)
  if (id !== 'availability' && notJudged.includes(NO_PROBE))
    return [{ id, title, result: 'warn', sent, expected: HOLDS, got: NO_PROBE.why, why, fix: NO_PROBE.fix }]
  return [{ id, title, result: 'pass', sent, expected: HOLDS, got: 'no finding', why, fix }]
}

/** Returns what the search sent, and its seed. */
export function sentText({ stories, deliveries, seed }: ExploreReport): string {
  return `${countOf(stories, 'story', 'stories')} in ${countOf(deliveries, 'delivery', 'deliveries')}, seed ${seed}`
}

function failedCheck(finding: Finding, replay?: string): CheckReport {
  const { id, title, got, expected, why, fix, rows, rate } = finding
  const lines = linesOf(rows)
  const sent = lines
    .map(({ label, sent: what, response }) => `${label === '+' ? label : `${label}.`} ${what} -> ${response}`)
    .join('; ')
  const note = notesOf(finding).join(' ')
  const cells = lines.map((line) => [line.label, line.sent, line.response, line.state, line.expected])
  return {
    id,
    title,
    result: 'fail',
    sent,
    expected,
    got: rate.of === 1 ? got : `${got} (${rate.failed} of ${rate.of} times)`,
    why,
    fix,
    table: [['', ...TABLE_HEAD], ...cells],
    ...omitUndefined({ note: note === '' ? undefined : note, replay }),
  }
}
