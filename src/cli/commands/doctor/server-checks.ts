// Checks of the server of this configuration: its version, its clock, its port and its webhooks.

import type { HealthView } from '../../../client/control-types.ts'
import { ApiError, NoResponseError, UnexpectedResponseError } from '../../../client/errors.ts'
import { countOf } from '../../../domain/count-text.ts'
import { isLoopback } from '../../../domain/loopback.ts'
import { durationInWords, parseInstant } from '../../../domain/time.ts'
import { VERSION } from '../../../domain/version.ts'
import { dataFolder, resolvePath } from '../../input/files.ts'
import { findDirectoryServer } from '../../local/find-directory-server.ts'
import { readReadyFile } from '../../local/ready-file.ts'
import type { Neighbour, Session } from '../../session.ts'
import { addressOf, dataText, findPspAt, neighbourText, requestHealth } from '../../target/other-server.ts'
import { type Found, fail, ok, warn } from './finding.ts'
import { tryListen } from './machine-checks.ts'

const NO_SERVER = 'no server is running here'

export function checkVersions(): Found {
  const { node } = process.versions
  return ok(`psp ${VERSION}, Node ${node}, ${process.platform} ${process.arch}`)
}

export async function checkServer(session: Session): Promise<Found> {
  const url = serverUrl(session)
  try {
    const health = await healthOf(session, url)
    return isForeign(session, health) ? ok(NO_SERVER) : checkHealth(health, url)
  } catch (error) {
    if (error instanceof NoResponseError) {
      return fail(
        `${url} accepts connections but does not respond`,
        'Its process may be suspended or too busy. Stop it and start it again.',
      )
    }
    if (error instanceof ApiError && error.status === 401) {
      return warn(`psp runs at ${url} but rejects the control token`, 'Correct --control-token or PSP_CONTROL_TOKEN.')
    }
    if (session.values.url === undefined) return ok(NO_SERVER)
    return fail(`${url} does not respond: ${(error as Error).message}`, 'Start it, or correct --url and PSP_URL.')
  }
}

function checkHealth({ version, status, reason, event_streams }: HealthView, url: string): Found {
  if (status === 'failing') {
    return fail(
      `${version === undefined ? 'psp' : `psp ${version}`} runs at ${url}, but rejects every change: ${reason ?? 'its data directory is read-only'}`,
      'Fix the reported cause. Until then reads work, and `psp store export FILE` saves its state.',
    )
  }
  if (version === undefined) {
    return ok(`psp runs at ${url}; if its control API is on, it reports its version only with --control-token`)
  }
  if (version !== VERSION) {
    return warn(
      `psp ${version} runs at ${url}, but this is psp ${VERSION}`,
      'Restart the server with this version, or use the psp of the project that started it.',
    )
  }
  const dropped = event_streams?.dropped ?? 0
  if (dropped > 0) {
    return warn(
      `psp ${version} runs at ${url}; ${countOf(dropped, 'message of the event stream was', 'messages of the event stream were')} dropped because their readers were too slow, or a fault stalled them`,
      'Read the stream without waiting for other work, or raise the limit: `psp settings set stream_queue=N`.',
    )
  }
  return ok(`psp ${version} runs at ${url}`)
}

/** Receivers reject a signature whose time differs by more than this, in ms. */
const TOLERANCE = 300_000
/** A smaller difference of clocks is ignored, in ms. */
const SMALL_SKEW = 2000

/** The sandbox's clock may differ from this machine's time; the system clock of the server should not. */
export async function checkClock(session: Session): Promise<Found> {
  const { systemClock } = session.host
  const requestedAt = systemClock.now()
  const health = await healthOf(session, serverUrl(session)).catch(() => undefined)
  const receivedAt = systemClock.now()
  if (health === undefined || isForeign(session, health)) return ok('no server to compare with')
  const { now, clock, date, clock_ahead_ms: ahead = 0 } = health
  if (ahead > TOLERANCE) {
    return warn(
      `the system clock of the server's machine was set back while the server ran, so the sandbox clock is ${durationInWords(ahead)} ahead`,
      'This is harmless: steps run on time, with later dates. `psp store reset --all` returns to the system time.',
    )
  }
  const difference = date === undefined ? 0 : Math.abs(date - requestedAt)
  if (difference > TOLERANCE) {
    return warn(
      `the clock of the server's machine differs from this machine's clock by ${durationInWords(difference)}, so receivers here reject its signatures as stale`,
      'Synchronize both clocks with NTP. A virtual machine may need this after it was suspended.',
    )
  }
  if (now === undefined || clock === undefined) return ok('the server reports its clock only with its control token')
  const sandboxTime = parseInstant(now) ?? Number.NaN
  // A busy server reads its clock long after the request was sent.
  const skew = Math.max(requestedAt - sandboxTime, sandboxTime - receivedAt, 0)
  const mode = typeof clock === 'string' ? clock : clock.mode
  if (skew < SMALL_SKEW) return ok(`the sandbox's clock is ${mode} and shows this machine's time`)
  const far = skew > TOLERANCE ? ' (signatures keep the real time, so receivers accept them)' : ''
  return ok(`the sandbox's clock is ${mode}, ${durationInWords(skew)} away from this machine's${far}`)
}

/** Only this many of the newest webhooks are checked. */
const MAX_CHECKED = 20

/** Warns if no receiver accepted any of the newest webhooks. */
export async function checkWebhooks(session: Session): Promise<Found> {
  const health = await healthOf(session, serverUrl(session)).catch(() => undefined)
  if (health === undefined || isForeign(session, health)) return ok(NO_SERVER)
  const { client } = await session.target('server')
  const page = await client.control.deliveries.summaries({ limit: MAX_CHECKED }).catch((error: Error) => error)
  if (page instanceof Error && !(page instanceof UnexpectedResponseError))
    return ok('the server lists its webhooks only with its control token')
  if (page instanceof Error || !areDeliveries(page.items)) {
    return warn(
      `${serverUrl(session)} lists its webhooks in an unknown form`,
      'Check the address. It must be the base URL of a psp server of this version.',
    )
  }
  const sent = page.items.filter(({ last_attempt }) => last_attempt !== null)
  const [last] = sent
  if (last === undefined) return ok('none sent yet')
  const accepted = sent.filter(({ status }) => status === 'delivered').length
  if (accepted > 0) return ok(`receivers accept them (${accepted} of the last ${sent.length})`)
  const { status, error } = last.last_attempt ?? {}
  return warn(
    `receivers accept none of them (0 of the last ${sent.length}); the last response from ${last.url} was: ${status ?? error ?? 'none'}`,
    `\`psp webhooks deliveries get ${last.id}\` shows the response, and \`psp verify --delivery ${last.id} --explain\` the cause.`,
  )
}

/** Returns whether the rows have the fields that the check reads. A server that is not psp may return anything. */
function areDeliveries(items: unknown): boolean {
  if (!Array.isArray(items)) return false
  return items.every((item: unknown) => {
    const { id, url, last_attempt } = (item ?? {}) as { readonly [name: string]: unknown }
    return typeof id === 'string' && typeof url === 'string' && typeof last_attempt === 'object'
  })
}

export async function checkPort(session: Session): Promise<Found> {
  const { port, host } = session.values
  const code = await tryListen(port, host)
  if (code === undefined) return ok(`${host}:${port} is free`)
  if (code !== 'EADDRINUSE') return fail(`${host}:${port} cannot be used (${code})`, 'Choose another --host or --port.')
  const found = await findPspAt(session, addressOf(host, port))
  if (found !== undefined) return checkPspOnPort(session, found)
  return warn(`${host}:${port} is in use by another program`, 'Start with --port 0, or another port.')
}

/** Warns if commands with this configuration use another server. */
function checkPspOnPort(session: Session, found: Neighbour): Found {
  const { port, host } = session.values
  const process = found.pid === undefined ? '' : `, process ${found.pid}`
  const text = `${host}:${port} is in use by psp (${dataText(found)}${process})`
  const used = new URL(serverUrl(session))
  const isUsed = used.port === String(port) && isLoopback(used.hostname)
  return isUsed && !isForeign(session, found) ? ok(text) : warn(text, neighbourText(found))
}

/** Whether a server that was found by host and port has a different data directory than this configuration. */
function isForeign(session: Session, { data }: Pick<HealthView, 'data'>): boolean {
  const { url, ready_file, ephemeral } = session.values
  if (url !== undefined || ready_file !== undefined || data === undefined) return false
  return ephemeral ? data !== null : data !== (findDirectoryServer(session)?.parentData ?? dataFolder(session))
}

/** Timeout of the response, in ms. */
const RESPONSE_TIMEOUT = 3000

function healthOf(session: Session, url: string): ReturnType<typeof requestHealth> {
  const { control_token } = session.values
  return requestHealth(session, url, {
    limit: RESPONSE_TIMEOUT,
    late: new NoResponseError(),
    controlToken: control_token,
  })
}

/** Returns the URL in the ready file, --url, the URL in the lock, or that of the host and port, in this order. */
export function serverUrl(session: Session): string {
  const { values, host } = session
  const file = values.ready_file === undefined ? undefined : readReadyFile(resolvePath(host, values.ready_file))
  if (file !== undefined) return file.url
  if (values.url !== undefined) return values.url
  const lockedUrl = values.ephemeral ? undefined : findDirectoryServer(session)?.url
  return lockedUrl ?? addressOf(values.host, values.port)
}
