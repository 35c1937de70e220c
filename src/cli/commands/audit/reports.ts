// Writes the reports of `--junit` and `--html`, also for an audit that was aborted.
import { type AuditReport, type CheckReport, reportOf } from '../../../audit/run.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { resolvePath } from '../../input/resolve-path.ts'
import { requireReplaceable } from '../../output/replaceable-file.ts'
import { requireWritable } from '../../output/write-file.ts'
import { notWritten, writeOutput } from '../../output/write-output.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from '../audit.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'junit' | 'html' | 'strict' | 'force'>

/** Writes the requested files. */
export async function writeReports(
  report: AuditReport,
  { junit, html, strict }: Flags,
  session: Session,
): Promise<void> {
  if (junit !== undefined) {
    const { junitXml } = await import('../../../audit/junit.ts')
    await writeOutput(junit, junitXml(report, strict), session)
  }
  if (html !== undefined) {
    const { htmlPage } = await import('../../../audit/html.ts')
    await writeOutput(html, htmlPage(report, rfc3339(session.host.systemClock.now(), 0)), session)
  }
}

/** Checks the report files before the audit, which takes a while. @throws {CliError} if one may not be written */
export function requireReportFiles({ junit, html, force }: Flags, { host }: Session): void {
  requireReplaceable(junit ?? '-', { force, kind: 'JUNIT', host })
  requireReplaceable(html ?? '-', { force, kind: 'AUDIT_PAGE', host })
  for (const file of [junit, html]) {
    if (file === undefined || file === '-') continue
    try {
      requireWritable(resolvePath(host, file))
    } catch (error) {
      throw notWritten(file, error)
    }
  }
}

/** Reports an aborted run as a failed suite, so that a CI system does not count it as passed. */
export function brokenOff(
  target: string,
  done: readonly CheckReport[],
  error: Error & { hint?: unknown },
): AuditReport {
  const last: CheckReport = {
    id: 'audit',
    title: 'runs to completion',
    result: 'fail',
    sent: done.length === 0 ? 'nothing' : `${done.length} checks`,
    expected: 'a handler that accepts connections, and probes that respond',
    got: error.message,
    why: 'The audit did not finish, so its result is incomplete.',
    fix: String(error.hint ?? 'See the message.'),
  }
  return reportOf(target, [...done, last])
}
