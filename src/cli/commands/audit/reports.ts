import type { AuditReport } from '../../../audit/run.ts'
import { rfc3339 } from '../../../domain/time.ts'
import type { FlagValues } from '../../flags.ts'
import type { Session } from '../../session.ts'
import { writeOutput } from '../../write-output.ts'
import type { AUDIT_FLAGS } from './flags.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'junit' | 'html'>

/** The files that were asked for. */
export async function writeReports(report: AuditReport, { junit, html }: Flags, session: Session): Promise<void> {
  if (junit !== undefined) {
    const { junitXml } = await import('../../../audit/junit.ts')
    await writeOutput(junit, junitXml(report), session)
  }
  if (html !== undefined) {
    const { htmlPage } = await import('../../../audit/html.ts')
    await writeOutput(html, htmlPage(report, rfc3339(session.host.wall.now(), 0)), session)
  }
}
