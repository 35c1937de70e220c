import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AuditReport } from '../../../audit/run.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { CliError } from '../../failure.ts'
import type { FlagValues } from '../../flags.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from './flags.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'junit' | 'html'>

/** The files that were asked for. */
export async function writeReports(report: AuditReport, { junit, html }: Flags, session: Session): Promise<void> {
  if (junit !== undefined) {
    const { junitXml } = await import('../../../audit/junit.ts')
    await write(junit, junitXml(report), session)
  }
  if (html !== undefined) {
    const { htmlPage } = await import('../../../audit/html.ts')
    await write(html, htmlPage(report, rfc3339(session.host.wall.now(), 0)), session)
  }
}

async function write(file: string, text: string, { host }: Session): Promise<void> {
  try {
    await writeFile(resolve(host.cwd, file), text)
  } catch (error) {
    throw new CliError('failed', `${file} cannot be written: ${(error as Error).message}`, 'Name another file.')
  }
}
