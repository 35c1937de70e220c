// Finds another psp server on this machine, and handles a data directory and a URL that select different sandboxes.

import { createClient } from '../../client/client.ts'
import type { HealthView } from '../../client/control-types.ts'
import { ApiError } from '../../client/errors.ts'
import type { FetchLike } from '../../client/fetch-like.ts'
import { createNodeFetch } from '../../client/node-fetch.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { usageError } from '../failure.ts'
import { dataFolder, realPath } from '../input/files.ts'
import type { Neighbour, Session } from '../session.ts'

/** ms, enough for a busy machine. A closed port is detected at once. */
const HEALTH_TIMEOUT = 2000

/**
 * Reads the health of a server within `limit` ms. In the result, `date` is the `Date` header of the response, in ms.
 * @param late the error if there is no response in time
 * @throws the errors of the client
 */
export async function requestHealth(
  { host }: Session,
  url: string,
  {
    limit,
    late,
    controlToken,
  }: { readonly limit: number; readonly late: Error; readonly controlToken: string | undefined },
): Promise<HealthView & { readonly date?: number }> {
  const { fetch, close } = createNodeFetch()
  const controller = new AbortController()
  const timer = host.systemClock.setTimeout(() => controller.abort(late), limit)
  let date = Number.NaN
  const watched: FetchLike = async (to, init) => {
    const response = await fetch(to, init)
    date = Date.parse(response.headers.get('date') ?? '')
    return response
  }
  try {
    const health = await createClient({ fetch: watched, baseUrl: url, controlToken }).control.health(controller.signal)
    return Number.isNaN(date) ? health : { ...health, date }
  } finally {
    timer.cancel()
    close()
  }
}

/** Returns the psp server at the URL; `undefined` if none responds in time. */
export async function findPspAt(session: Session, url: string): Promise<Neighbour | undefined> {
  const request = { limit: HEALTH_TIMEOUT, late: new Error('no response'), controlToken: session.values.control_token }
  const health = await requestHealth(session, url, request)
    // A server with a different control token rejects this one. Without a token, the server still reports its status.
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      return requestHealth(session, url, { ...request, controlToken: undefined })
    })
    .catch(() => undefined)
  if (health === undefined) return undefined
  const { date: _, ...fields } = health
  const { status, version, pid, data } = fields
  // Without the control token, a server returns only its status.
  const isPsp = typeof version === 'string' || Object.keys(fields).length === 1
  if (!(status === 'ok' || status === 'failing') || !isPsp) return undefined
  return { url, ...omitUndefined({ pid, data }) }
}

/**
 * Says how to use a psp server at the configured address. Without --url, the command does not use it, because its data
 * directory is a different one.
 */
export function neighbourText(found: Neighbour): string {
  const { url, data } = found
  const server =
    data === undefined
      ? 'Another psp'
      : `A psp with ${data === null ? dataText(found) : `another data directory (${data})`}`
  return `${server} runs at ${url}. To use it, add --url ${url} or set PSP_URL.`
}

/** `data directory /x/.psp`, `everything in memory`. */
export function dataText({ data }: Neighbour): string {
  if (data === undefined) return 'data directory unknown'
  return data === null ? 'everything in memory' : `data directory ${data}`
}

/** Returns the URL at which this machine reaches a server that listens at this host and port. */
export function addressOf(host: string, port: number): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? host
  return `http://${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:${port}`
}

/**
 * Rejects `--data` and a URL that select different sandboxes. Commands that replace or delete data call it.
 * @throws CliError
 */
export async function requireSameSandbox(session: Session): Promise<void> {
  const { config, values } = session
  const { data, url: source } = config.origins
  if (values.url === undefined || !data.startsWith('--') || (await serverData(session, values.url)).isSessionData)
    return
  throw usageError(
    `${data} ${values.data} and ${source} (${values.url}) select different sandboxes, and this command changes only one of them.`,
    `Omit one of them. ${!source.startsWith('PSP_') ? '' : `\`env -u ${source} psp …\` runs without the variable.`}`.trimEnd(),
  )
}

/**
 * Reports that the data directory is ignored because a URL is given. Prints nothing if the source of the URL has a
 * higher rank than that of the directory, or if the server uses the directory.
 */
export async function reportUnusedData(session: Session, url: string): Promise<void> {
  const { config, values, out } = session
  const { data, url: source } = config.origins
  if (originRank(data) < originRank(source)) return
  const { directory, isSessionData } = await serverData(session, url)
  if (isSessionData) return
  const serverText =
    directory === undefined
      ? ''
      : directory === null
        ? ' It keeps everything in memory.'
        : ` Its data directory is ${directory}.`
  out.aside(
    out.notePaint.dim(`${data} ${values.data} is ignored because ${source} selects the server at ${url}.${serverText}`),
  )
}

/** Returns the data directory of the server (null: in memory only), and whether it is that of the session. */
async function serverData(session: Session, url: string) {
  const directory = (await findPspAt(session, url))?.data
  const isSessionData = typeof directory === 'string' && realPath(directory) === realPath(dataFolder(session))
  return { directory, isSessionData }
}

/** Ranks a flag above a variable, a variable above the configuration file, and the file above the default. */
function originRank(origin: string): number {
  if (origin === 'default') return -1
  return origin.startsWith('--') ? 2 : origin.startsWith('PSP_') ? 1 : 0
}
