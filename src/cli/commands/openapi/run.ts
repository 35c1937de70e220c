import { createClient } from '../../../client/client.ts'
import { stringifyForTerminal } from '../../../terminal/sanitize.ts'
import type { NoArguments, Run } from '../../command.ts'
import { requireReplaceable } from '../../input/files.ts'
import { findDirectoryServer } from '../../local/find-directory-server.ts'
import { fetchOf, openSandbox } from '../../local/open-sandbox.ts'
import { writeOutput } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'
import type { OPENAPI_FLAGS } from '../openapi.ts'

export const run: Run<NoArguments, typeof OPENAPI_FLAGS> = async ({ flags, session }) => {
  const { out, host } = session
  requireReplaceable(flags.out ?? '-', { ...flags, kind: 'OPENAPI', host })
  const document = await documentOf(flags.control ? 'control' : 'public', session)
  if (flags.out === undefined || flags.out === '-') {
    if (out.json) out.document(document)
    else out.line(stringifyForTerminal(document, 2))
    return 0
  }
  const file = await writeOutput(flags.out, `${JSON.stringify(document, null, 2)}\n`, session)
  if (out.json) out.document({ file })
  else out.note(`written to ${flags.out}`)
  return 0
}

/** Without a server, the document comes from a sandbox in memory. */
async function documentOf(which: 'public' | 'control', session: Session): Promise<unknown> {
  const { values } = session
  if (values.url !== undefined || findDirectoryServer(session) !== undefined) {
    return await (await session.target()).client.control.openapi(which)
  }
  const sandbox = await openSandbox(session, {})
  try {
    const client = createClient({ fetch: fetchOf(sandbox), baseUrl: IN_MEMORY_URL, controlToken: values.control_token })
    return await client.control.openapi(which)
  } finally {
    await sandbox.close({ grace_ms: 0 })
  }
}

/** The base URL of requests to the sandbox in memory. It is not part of the document. */
const IN_MEMORY_URL = 'http://127.0.0.1:7770'
