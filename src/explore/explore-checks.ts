// An exploration as a list of checks, one for each rule, so that its JUnit and HTML reports are those of the audit.

import { type AuditReport, type CheckReport, reportOf } from '../audit/run.ts'
import { countOf } from '../domain/count-text.ts'
import type { ExploreReport } from './explore-options.ts'
import { type Finding, linesOf } from './finding.ts'
import { ORACLES, type OracleId } from './violation.ts'

/** A rule without a finding passes, unless no story was finished. Each finding is a failed check. */
export function exploreChecks(target: string, report: ExploreReport): AuditReport {
  const rules = Object.keys(ORACLES) as OracleId[]
  return reportOf(
    target,
    rules.flatMap((id) => checksOf(id, report)),
  )
}

const HOLDS = 'the rule holds in each story'

function checksOf(id: OracleId, { findings, stories, deliveries, seed }: ExploreReport): CheckReport[] {
  const found = findings.filter((finding) => finding.id === id)
  if (found.length > 0) return found.map(failedCheck)
  const { title, why, fix } = ORACLES[id]
  if (stories === 0)
    return [{ id, title, result: 'skip', sent: 'nothing', expected: HOLDS, got: 'no story was finished', why, fix }]
  const sent = `${countOf(stories, 'story', 'stories')} in ${countOf(deliveries, 'delivery', 'deliveries')}, seed ${seed}`
  return [{ id, title, result: 'pass', sent, expected: HOLDS, got: 'no finding', why, fix }]
}

function failedCheck({ id, title, got, expected, why, fix, rows, rate, shrunk }: Finding): CheckReport {
  const sent = linesOf(rows)
    .map(({ label, sent: what, response }) => `${label === '+' ? label : `${label}.`} ${what} -> ${response}`)
    .join('; ')
  const whole = shrunk ? sent : `${sent}. The case was not shrunk to its end, so a smaller one may exist.`
  return {
    id,
    title,
    result: 'fail',
    sent: whole,
    expected,
    got: `${got} (${rate.failed} of ${rate.of} times)`,
    why,
    fix,
  }
}
