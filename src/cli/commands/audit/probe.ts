// The probes of `--probe` and `--probe-cmd`, which read the state of the merchant's shop.

import { isWebPage } from '../../../audit/page.ts'
import { type Probe, ProbeError, type Reading } from '../../../audit/ports.ts'
import { asksForOne, createProbe, filledUrl } from '../../../audit/probe.ts'
import type { FetchLike } from '../../../client/fetch-like.ts'
import { isSuccess } from '../../../domain/http-response.ts'
import { isLoopback } from '../../../domain/loopback.ts'
import { pause } from '../../../domain/promises.ts'
import { codeOf, describeFailure, isReset } from '../../../domain/receiver-failures.ts'
import { formatDuration } from '../../../domain/time.ts'
import { unquoted } from '../../../domain/typed-address.ts'
import { DecodingError } from '../../../receiver-client/content-encoding.ts'
import { readText } from '../../../receiver-client/response-body.ts'
import type { SystemClock } from '../../../system-clock/system-clock.ts'
import { usageError } from '../../failure.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from '../audit.ts'
import { runShellCommand } from './shell-command.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'probe' | 'probe_cmd' | 'probe_settle' | 'timeout' | 'explore'>

const DEFAULT_SETTLE_TIME = 100
const TIMEOUT = 15_000
/** Maximum size of a value. */
const MAX_BYTES = 16 * 1024 * 1024
const SLOW_HINT = 'A probe is read many times, so it should return one value quickly.'

/** @param handler the audited URL; a probe that is only a path is read from its server */
export function probesOf(flags: Flags, handler: string, fetch: FetchLike, session: Session): Probe[] {
  const { systemClock } = session.host
  const settleTime = flags.probe_settle ?? DEFAULT_SETTLE_TIME
  const limit = Math.min(flags.timeout ?? TIMEOUT, flags.explore ?? TIMEOUT)
  for (const label of flags.probe) requireKnownPlaceholders('--probe', label)
  const byUrl = flags.probe.map((label) => {
    const isPerOrder = asksForOne(label)
    const url = addressOf(label, handler)
    return createProbe({
      label,
      isPerOrder,
      settleTime,
      systemClock,
      read: (about) => ask(filledUrl(url, about), { isPerOrder, handler, limit }, fetch, session),
    })
  })
  const byCommand = flags.probe_cmd.map((label) =>
    createProbe({
      label,
      isPerOrder: asksForOne(label),
      settleTime,
      systemClock,
      read: (about) => runCommand(label, about, limit, session),
    }),
  )
  return [...byUrl, ...byCommand]
}

export function pageAddress(text: string, handler: string): string {
  requireKnownPlaceholders('--return-url', text)
  return addressOf(text, handler)
}

/**
 * Returns the URL of a probe. `balance`, `orders/{order_id}` and `/balance` are paths on the server of the handler.
 * Other values are addresses, as for `psp listen --forward`: a URL, a host, or only a port such as `4000/balance`.
 */
export function addressOf(text: string, handler: string): string {
  const given = unquoted(text)
  const [first = ''] = given.split(/[/?#]/)
  const isRelative = /^[a-z_{][a-z0-9_{}-]*$/i.test(first) && first.toLowerCase() !== 'localhost'
  // A URL parser treats /\ like //, after which a host follows.
  const isPath = isRelative || /^\/(?![/\\])/.test(given)
  return unescaped(isPath ? new URL(given, `${new URL(handler).origin}/`).href : forwardUrl(text))
}

function requireKnownPlaceholders(flag: string, text: string): void {
  const unknown = text.match(/\{[^{}]*\}/g)?.find((placeholder) => !PLACEHOLDERS.includes(placeholder))
  if (unknown === undefined) return
  throw usageError(
    `${flag}: ${text} contains an unknown placeholder, ${unknown}.`,
    `Known: ${PLACEHOLDERS.join(', ')}.`,
  )
}

const PLACEHOLDERS: readonly string[] = ['{order_id}', '{payment_id}']

/** Restores braces, which `URL` escapes. */
function unescaped(url: string): string {
  return url.replace(/%7B(order|payment)_id%7D/gi, '{$1_id}')
}

async function ask(
  url: string,
  { isPerOrder, handler, limit }: { readonly isPerOrder: boolean; readonly handler: string; readonly limit: number },
  fetch: FetchLike,
  { host }: Session,
): Promise<Reading> {
  const controller = new AbortController()
  const deadline = host.systemClock.setTimeout(() => controller.abort(), limit)
  try {
    const open = () => fetch(url, { method: 'GET', headers: { Accept: '*/*' }, signal: controller.signal })
    const response = await retried(open, host.systemClock)
    const text = await readText(response, MAX_BYTES)
    // The order does not exist yet.
    if (isPerOrder && response.status === 404) return { text: '', note: `responded 404 at ${url}` }
    if (!isSuccess(response.status))
      throw new ProbeError(`The probe ${url} responded ${response.status}.`, 'It must respond 2xx with a value.')
    if (text.trim() === '') return { text, note: `responded ${response.status} with an empty body at ${url}` }
    return isWebPage(text) ? { text, note: `responded ${response.status} with a web page at ${url}` } : { text }
  } catch (error) {
    if (error instanceof ProbeError) throw error
    if (error instanceof DecodingError) {
      throw new ProbeError(
        `The body of the probe ${url} cannot be read: ${error.message}.`,
        'It must be a short value.',
      )
    }
    if (controller.signal.aborted)
      throw new ProbeError(`The probe ${url} returned no value within ${formatDuration(limit)}.`, SLOW_HINT)
    const why = describeFailure(error, url, 'waiting')
    if (codeOf(error) === 'ECONNREFUSED' && isSameServer(url, handler)) throw new ProbeError(why, 'Start it.', true)
    const hint = isUnconnected(error)
      ? 'Check the URL of --probe. If the server accepts few connections at once, try --lanes 1 with --explore.'
      : 'Check the URL of --probe.'
    throw new ProbeError(`The probe failed. ${why}`, hint)
  } finally {
    deadline.cancel()
  }
}

/** A server with a short connection queue, such as Python's http.server, drops or resets some connections. */
const CONNECT_TRIES = 4
const CONNECT_PAUSE = 250

async function retried<T>(open: () => Promise<T>, systemClock: Pick<SystemClock, 'setTimeout'>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await open()
    } catch (error) {
      if (tries === CONNECT_TRIES || !isUnconnected(error)) throw error
    }
    await pause(CONNECT_PAUSE, systemClock)
  }
}

/** Whether the server was too busy to accept the connection. A probe changes nothing, so it may be sent again. */
function isUnconnected(error: unknown): boolean {
  return isReset(error) || /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error) ?? '')
}

/** Returns whether the URLs have the same origin. All loopback names count as the same host. */
function isSameServer(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return a.origin === b.origin || (a.port === b.port && isLoopback(a.hostname) && isLoopback(b.hostname))
}

async function runCommand(
  command: string,
  { order_id, payment_id }: { order_id: string; payment_id: string },
  limit: number,
  session: Session,
): Promise<Reading> {
  const env = { PSP_ORDER_ID: order_id, PSP_PAYMENT_ID: payment_id }
  const result = await runShellCommand(command, env, limit, session)
  if (result === undefined)
    throw new ProbeError(`The probe command returned no value within ${formatDuration(limit)}.`, SLOW_HINT)
  const { text, failure } = result
  if (failure === undefined) return text.trim() === '' ? { text, note: 'printed nothing' } : { text }
  throw new ProbeError(
    `The probe command exited with ${failure}.`,
    'Run it yourself: it must print a value and exit with 0.',
  )
}
