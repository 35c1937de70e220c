// Checks readiness with the configuration that the server itself reads, and never with `localhost`.
import { createClient } from '../../../client/client.ts'
import type { HealthView } from '../../../client/control-types.ts'
import { ApiError, ConnectionError } from '../../../client/errors.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { formatDuration } from '../../../domain/time.ts'
import { CliError } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { type Sought, soughtServer } from './expected-server.ts'

const DEFAULT_TIMEOUT = 30_000
const PAUSE = 100
/** Timeout of one response, in ms. */
const PATIENCE = 2000

export async function checkReady(
  session: Session,
  { wait, timeout = DEFAULT_TIMEOUT }: { readonly wait: boolean; readonly timeout: number | undefined },
): Promise<number> {
  const { host, signals } = session
  const end = host.systemClock.monotonic() + timeout
  for (;;) {
    const sought = await soughtServer(session)
    const found = await look(session, sought)
    if (!(found instanceof Error)) return tell(session, found)
    if (!wait) throw found
    if (signals.ended.aborted) throw signals.ended.reason
    if (host.systemClock.monotonic() >= end) {
      const why = found instanceof ConnectionError ? '' : ` ${found.message}`
      throw new CliError(
        'timed_out',
        `${sought.name} was not ready within ${formatDuration(timeout)}.${why}`,
        found.hint,
      )
    }
    await new Promise<void>((done) => void host.systemClock.setTimeout(done, PAUSE))
  }
}

function tell({ out }: Session, { url, remark }: Ready): number {
  if (out.json) out.document({ ready: true, url })
  else out.line(`ready  ${url}`)
  if (remark !== undefined) out.aside(out.notePaint.dim(remark))
  return 0
}

interface Ready {
  readonly url: string
  readonly remark: string | undefined
}

async function look(session: Session, { url, judge }: Sought): Promise<Ready | ConnectionError | CliError> {
  if (url instanceof CliError) return url
  const health = await probe(session, url)
  if (health instanceof Error) return health
  const verdict = health === undefined ? undefined : judge(health)
  return verdict instanceof CliError ? verdict : { url, remark: verdict }
}

/** Returns `undefined` if the server is ready but does not accept this host name, so its health is unknown. */
async function probe(
  { values, host }: Session,
  url: string,
): Promise<HealthView | undefined | ConnectionError | CliError> {
  const { fetch, close } = createNodeFetch()
  const controller = new AbortController()
  const timer = host.systemClock.setTimeout(
    () => controller.abort(new Error(`no response within ${PATIENCE} ms`)),
    PATIENCE,
  )
  try {
    const ask = (controlToken: string | undefined) =>
      createClient({ fetch, baseUrl: url, controlToken }).control.health(controller.signal)
    const health = await ask(values.control_token).catch((error: unknown) => {
      // The server is ready even if the token is wrong.
      if (error instanceof ApiError && error.status === 401) return ask(undefined)
      throw error
    })
    if (health.status !== 'failing') return health
    const why = health.reason ?? 'its data directory is read-only.'
    return new CliError('failed', `${url} responds, but rejects every change: ${why}`, '`psp doctor` checks its disk.')
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    if (error instanceof ConnectionError) return error
    return new CliError(
      'unreachable',
      `${url} does not respond like psp: ${(error as Error).message}`,
      'Check the address.',
    )
  } finally {
    timer.cancel()
    close()
  }
}
