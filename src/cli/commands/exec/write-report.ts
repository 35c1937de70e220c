// `psp exec --report DIR`: writes the data of the sandbox to files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../../client/client.ts'
import { openExport } from '../../../client/http-client.ts'
import { nodeFileSystem } from '../../../store/folder/file-system.ts'
import { requireDirectory, requireReplaceable, resolvePath } from '../../input/files.ts'
import { type FileContent, notWritten, requireWritable, writeNamed } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'
import { type SandboxData, summarizeFailure } from './failure-summary.ts'

/**
 * Creates the directory of the report, before the command runs. The directory of an earlier report, which has an
 * `export.json`, may be reused.
 * @throws CliError if the directory cannot be created or written to. Without `force`, also if a file in it has the name
 * of a report file and is not from an earlier report.
 */
export async function makeReportDirectory(directory: string, force: boolean, { host }: Session): Promise<string> {
  const path = resolvePath(host, directory)
  requireDirectory('--report', directory, host)
  requireReplaceable(host.paths.join(directory, FILES.export), { force, kind: 'EXPORT', host })
  if (!existsSync(join(path, FILES.export))) {
    for (const name of Object.values(FILES)) requireReplaceable(host.paths.join(directory, name), { force, host })
  }
  try {
    nodeFileSystem.makeFolder(path)
    requireWritable(join(path, FILES.summary))
  } catch (error) {
    throw notWritten(directory, error)
  }
  return path
}

const FILES = {
  summary: 'summary.txt',
  requests: 'requests.ndjson',
  deliveries: 'deliveries.ndjson',
  events: 'events.ndjson',
  export: 'export.json',
} as const

/** @param path the result of {@link makeReportDirectory} */
export async function writeReport(path: string, data: SandboxData, { raw }: Client): Promise<void> {
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const contents: { readonly [F in keyof typeof FILES]: FileContent } = {
    summary: summarizeFailure(data, Number.POSITIVE_INFINITY)
      .map((line) => `${line}\n`)
      .join(''),
    requests: lines([...data.requests].reverse()),
    deliveries: lines(data.deliveries),
    events: lines([...data.events].reverse()),
    // The export is streamed, because the state may exceed the maximum string length.
    export: await openExport(raw.control),
  }
  for (const [name, content] of Object.entries(contents)) {
    const file = join(path, FILES[name as keyof typeof FILES])
    await writeNamed(file, file, content, { secret: name === 'export' })
  }
}
