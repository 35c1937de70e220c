// Readiness, with the environment the server itself reads: nothing fixed, and never `localhost`.
import { createClient } from '../../../client/client.ts'
import { ApiError, Unreachable } from '../../../client/errors.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { formatDuration } from '../../../domain/time.ts'
import { CliError } from '../../failure.ts'
import { lockOf } from '../../lock-of.ts'
import { dataFolder } from '../../named-path.ts'
import { addressOf } from '../../neighbour.ts'
import type { Session } from '../../session.ts'

const DEFAULT_TIMEOUT = 30_000
const PAUSE = 100
/** ms for one answer. */
const PATIENCE = 2000

export async function checkReady(
  session: Session,
  { wait, timeout = DEFAULT_TIMEOUT }: { readonly wait: boolean; readonly timeout: number | undefined },
): Promise<number> {
  const { host, signals, out } = session
  const end = host.wall.monotonic() + timeout
  for (;;) {
    const url = serverUrl(session)
    const failure = await probe(session, url)
    if (failure === undefined) {
      if (out.json) out.document({ ready: true, url })
      else out.line(`ready  ${url}`)
      return 0
    }
    if (!wait) throw failure
    if (signals.ended.aborted) throw signals.ended.reason
    if (host.wall.monotonic() >= end) {
      throw new CliError('timed_out', `${url} was not ready within ${formatDuration(timeout)}.`, failure.hint)
    }
    await new Promise<void>((done) => void host.wall.setTimeout(done, PAUSE))
  }
}

/** Where `psp serve` with this configuration is: its own word first, else host and port. */
export function serverUrl(session: Session): string {
  const { values } = session
  if (values.url !== undefined) return /^[a-z]+:\/\//i.test(values.url) ? values.url : `http://${values.url}`
  const told = values.ephemeral ? undefined : lockOf(dataFolder(session))?.url
  if (told !== undefined) return told
  return addressOf(values.host, values.port)
}

/** `undefined` when it is ready. Where the control API is off, its refusal is an answer, too. */
async function probe({ values, host }: Session, url: string): Promise<Unreachable | CliError | undefined> {
  const { fetch, close } = createNodeFetch()
  const controller = new AbortController()
  const timer = host.wall.setTimeout(() => controller.abort(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE)
  try {
    await createClient({ fetch, baseUrl: url, controlToken: values.control_token }).control.health(controller.signal)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    if (error instanceof Unreachable) return error
    return new CliError(
      'unreachable',
      `${url} does not answer as psp does: ${(error as Error).message}`,
      'Check the address.',
    )
  } finally {
    timer.cancel()
    close()
  }
}
