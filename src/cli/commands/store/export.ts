import type { Client } from '../../../client/client.ts'
import { openExport } from '../../../client/http-client.ts'
import type { Run } from '../../command.ts'
import { requireReplaceable, resolvePath } from '../../input/files.ts'
import { type Progress, startProgress } from '../../output/progress.ts'
import { writeNamed } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'
import type { EXPORT_FILE, EXPORT_FLAGS } from '../store.ts'

/** Streams the state, because it may exceed the maximum string length. */
export const exportState: Run<typeof EXPORT_FILE, typeof EXPORT_FLAGS> = async ({ args, flags, session }) => {
  const { out, host } = session
  requireReplaceable(args.file, { ...flags, host })
  const { client } = await session.target('existing')
  const state = await openExport(client.raw.control)
  if (args.file === '-') {
    const decoder = new TextDecoder()
    // If the state is printed in a terminal, a progress bar would be mixed with it.
    const body = out.columns === undefined ? await withProgress(state, client, session) : state
    for await (const chunk of body) out.text(decoder.decode(chunk, { stream: true }))
    out.line()
    return 0
  }
  const path = resolvePath(host, args.file)
  const body = await withProgress(state, client, session)
  await writeNamed(args.file, path, body, { secret: true, signal: session.signals.ended })
  if (out.json) out.document({ file: path })
  else out.line(`written to ${args.file}; it contains secrets`)
  return 0
}

/** Counts lines for the progress bar, because each row is on one line. */
async function withProgress(body: AsyncIterable<Uint8Array>, client: Client, session: Session) {
  if (!session.out.animate) return body
  const rows = Object.values(await client.control.store.counts()).reduce((sum, count) => sum + count, 0)
  return counted(body, await startProgress(session, 'rows', rows))
}

async function* counted(body: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  let lines = 0
  try {
    for await (const chunk of body) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
      progress.update(lines)
      yield chunk
    }
  } finally {
    progress.stop()
  }
}

const NEWLINE = 10
