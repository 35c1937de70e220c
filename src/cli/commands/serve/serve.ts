import type { NoArguments, Run } from '../../command.ts'
import { startLocalServer } from '../../local-server.ts'
import { dataFolder } from '../../named-path.ts'
import { VERSION } from '../../version.ts'
import type { SERVER_FLAGS } from '../server-flags.ts'
import { banner } from './banner.ts'
import { followRequests } from './requests.ts'

/** Serves until the first signal; then finishes what runs, writes everything down, and ends with 0. */
export const run: Run<NoArguments, typeof SERVER_FLAGS> = async ({ session }) => {
  const { out, values, host, signals } = session
  const folder = values.ephemeral ? undefined : dataFolder(session)
  const server = await startLocalServer(session, { folder })
  const { start, url } = server
  if (out.json) {
    out.document({
      type: 'ready',
      url,
      pid: host.pid,
      version: VERSION,
      data: folder ?? null,
      api_key: start.api_key ?? null,
      signing_secret: start.signing_secret,
      webhook_secret: start.webhook_secret,
      shop_id: start.shop_id,
    })
  } else {
    banner(out, { url, folder: folder === undefined ? undefined : values.data, start, fresh: server.sandbox.fresh })
  }
  const requests = values.quiet ? undefined : followRequests(session, server.sandbox)
  await ended(signals.ended)
  out.note('')
  out.note(out.notePaint.dim('Stopping: what runs may finish. Press Ctrl-C again to end at once.'))
  requests?.stop()
  await server.close()
  return 0
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
}
