// `psp doctor --ready`: checks the server that the configuration selects.

import { existsSync } from 'node:fs'
import type { HealthView } from '../../../client/control-types.ts'
import { ApiError, ConnectionError } from '../../../client/errors.ts'
import { omitUndefined } from '../../../domain/omit-undefined.ts'
import { pause } from '../../../domain/promises.ts'
import { formatDuration } from '../../../domain/time.ts'
import { CliError } from '../../failure.ts'
import { dataFolder, resolvePath } from '../../input/files.ts'
import { findDirectoryServer } from '../../local/find-directory-server.ts'
import { readReadyFile } from '../../local/ready-file.ts'
import type { Session } from '../../session.ts'
import { addressOf, dataText, neighbourText, requestHealth } from '../../target/other-server.ts'
import { holderOf } from './lock-holder.ts'
import { serverUrl } from './server-checks.ts'

const DEFAULT_TIMEOUT = 30_000
const PAUSE = 100
/** Timeout of one response, in ms. */
const RESPONSE_TIMEOUT = 2000

export async function checkReady(
  session: Session,
  { wait, timeout = DEFAULT_TIMEOUT }: { readonly wait: boolean; readonly timeout: number | undefined },
): Promise<number> {
  const { host, signals, config } = session
  // psp.config.json can name the server to check, so the check needs a valid file.
  if (config.sources.file.issue !== undefined) throw config.sources.file.issue
  const end = host.systemClock.monotonic() + timeout
  for (;;) {
    const expected = await chooseExpectedServer(session)
    const result = await findReadyServer(session, expected)
    if (!(result instanceof Error)) return printReady(session, result)
    if (!wait) throw result
    if (signals.ended.aborted) throw signals.ended.reason
    if (host.systemClock.monotonic() >= end) {
      const why = result instanceof ConnectionError ? '' : ` ${result.message}`
      throw new CliError(
        'timed_out',
        `${expected.name} was not ready within ${formatDuration(timeout)}.${why}`,
        result.hint,
      )
    }
    await pause(PAUSE, host.systemClock)
  }
}

function printReady({ out }: Session, { url, remark }: Ready): number {
  if (out.json) out.document({ ready: true, url })
  else out.line(`ready  ${url}`)
  if (remark !== undefined) out.aside(out.notePaint.dim(remark))
  return 0
}

interface Ready {
  readonly url: string
  readonly remark: string | undefined
}

async function findReadyServer(
  session: Session,
  { url, checkIdentity }: ExpectedServer,
): Promise<Ready | ConnectionError | CliError> {
  if (url instanceof CliError) return url
  const health = await readHealth(session, url)
  if (health instanceof Error) return health
  const verdict = health === undefined ? undefined : checkIdentity(health)
  return verdict instanceof CliError ? verdict : { url, remark: verdict }
}

/** Returns the health of the server, or why it is not ready; `undefined` if it responds but rejects this host name. */
async function readHealth(session: Session, url: string): Promise<HealthView | undefined | ConnectionError | CliError> {
  const late = new Error(`no response within ${RESPONSE_TIMEOUT} ms`)
  const request = (controlToken: string | undefined) =>
    requestHealth(session, url, { limit: RESPONSE_TIMEOUT, late, controlToken })
  try {
    const health = await request(session.values.control_token).catch((error: unknown) => {
      // The server is ready even if the token is wrong.
      if (error instanceof ApiError && error.status === 401) return request(undefined)
      throw error
    })
    if (health.status !== 'failing') return health
    const why = health.reason ?? 'its data directory is read-only.'
    return new CliError('failed', `${url} responds, but rejects every change: ${why}`, '`psp doctor` checks its disk.')
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    if (error instanceof ConnectionError) return error
    const message = `${url} does not respond like psp: ${(error as Error).message}`
    return new CliError('unreachable', message, 'Check the address.')
  }
}

export interface ExpectedServer {
  /** The name of the server in errors. */
  readonly name: string
  /** The URL, or an error if it is not known yet. */
  readonly url: string | CliError
  /** Returns `undefined` for the expected server, a note if the server may be another one, and an error if it is. */
  checkIdentity(found: Pick<HealthView, 'pid' | 'data'>): undefined | string | CliError
}

export async function chooseExpectedServer(session: Session): Promise<ExpectedServer> {
  const { values, config } = session
  if (values.ready_file !== undefined) return serverOfReadyFile(session, values.ready_file)
  if (values.url !== undefined) return serverAt(serverUrl(session))
  if (values.ephemeral) return serverAtConfiguredAddress(session)
  const holder = await holderOf(session)
  if ((holder.kind === 'alive' || holder.kind === 'foreign') && holder.url !== undefined) return serverAt(holder.url)
  const parentServer = findDirectoryServer(session)
  if (parentServer !== undefined) return serverAt(parentServer.url)
  if (holder.kind === 'alive' || config.origins.data !== 'default') return serverOfFolder(session)
  return serverAtConfiguredAddress(session)
}

function serverAt(url: string): ExpectedServer {
  return { name: url, url, checkIdentity: () => undefined }
}

function serverOfReadyFile({ host }: Session, file: string): ExpectedServer {
  const ready = readReadyFile(resolvePath(host, file))
  const missing = `${file} does not contain the URL of its server yet.`
  return {
    name: `The server of ${file}`,
    url: ready?.url ?? notReady(missing, `Start it with \`psp serve --ready-file ${file}\`.`),
    checkIdentity: ({ pid }) =>
      pid === undefined || pid === ready?.pid
        ? undefined
        : notReady(`${file} is from process ${ready?.pid}, but process ${pid} responds.`, 'Start the server again.'),
  }
}

function serverOfFolder({ values: { data } }: Session): ExpectedServer {
  const why = notReady(
    `No server uses the data directory ${data}.`,
    `Start one with \`psp serve --data ${data}\`. To find a server that is in memory only, use --ready-file or --url.`,
  )
  return { name: `The server of ${data}`, url: why, checkIdentity: () => undefined }
}

/** The server at the configured host and port may belong to another user or another data directory. */
function serverAtConfiguredAddress(session: Session): ExpectedServer {
  const { values, config } = session
  const url = addressOf(values.host, values.port)
  const isNamed = config.origins.port !== 'default' || config.origins.host !== 'default'
  const folder = dataFolder(session)
  return {
    name: url,
    url,
    checkIdentity({ data, pid }) {
      if (data === undefined || (values.ephemeral ? data === null : data === folder)) return undefined
      const found = { url, data, ...omitUndefined({ pid }) }
      if (!isNamed && (data !== null || existsSync(folder))) {
        return notReady(`${url} is not the server of ${values.data}.`, neighbourText(found))
      }
      return `The psp at ${url} has ${dataText(found)}. If it is not yours, select one with --ready-file, --data or --url.`
    },
  }
}

function notReady(message: string, hint: string): CliError {
  return new CliError('unreachable', message, hint)
}
