// Opens pages in the default browser.
import type { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import type { Client } from '../../client/client.ts'
import type { SystemClock } from '../../system-clock/system-clock.ts'
import { CliError } from '../failure.ts'
import type { Session } from '../session.ts'

/**
 * Opens the hosted page of a payment. Requests the page before the browser starts, because otherwise the simulated
 * buyer would pay while the browser is starting.
 * @throws CliError if the browser could not be started
 */
export async function openPage(client: Client, session: Pick<Session, 'host'>, page: PaymentPage): Promise<void> {
  const failure = await tryOpenPage(client, session, page)
  if (failure !== undefined) throw failure
}

export interface PaymentPage {
  readonly paymentId: string
  readonly url: string
}

/** Like {@link openPage}, but returns the error if the browser could not be started. */
export async function tryOpenPage(
  client: Client,
  { host }: Pick<Session, 'host'>,
  { paymentId, url }: PaymentPage,
): Promise<CliError | undefined> {
  const path = `/pay/${encodeURIComponent(paymentId)}`
  const response = await client.raw.public.open({ method: 'GET', path, headers: { Accept: 'text/html' } })
  await response.text()
  const why = await launchBrowser(url, host)
  if (why === undefined) return undefined
  return new CliError(
    'failed',
    `The browser could not be started: ${why}`,
    `Open ${url} yourself, or run \`psp payments pay ${paymentId}\`. The payment is waiting for its buyer.`,
  )
}

/** Returns the link to the dashboard. The token is after `#`, because browsers never send that part to a server. */
export function dashboardUrl(base: string, token: string | undefined): string {
  const url = `${base.replace(/\/+$/, '')}/`
  return token === undefined ? url : `${url}#token=${encodeURIComponent(token)}`
}

/** Starts the default browser. Returns why it could not be started, or `undefined`. */
export async function launchBrowser(
  url: string,
  host: Pick<Session['host'], 'systemClock'>,
): Promise<string | undefined> {
  const { default: open } = await import('open')
  return await open(url)
    .then((opener) => launchFailure(opener, host.systemClock))
    .catch((error: unknown) => (error as Error).message)
}

/** A launcher that has not failed after this many ms counts as successful. */
const LAUNCH_TIMEOUT = 2000

type Opener = Pick<ChildProcess, 'exitCode' | 'signalCode' | 'spawnfile' | 'once'>

/** Returns why the launcher failed; `undefined` if it has succeeded or is still running. */
export async function launchFailure(
  opener: Opener,
  systemClock: Pick<SystemClock, 'setTimeout'>,
): Promise<string | undefined> {
  if (opener.exitCode === null && opener.signalCode === null) {
    await new Promise<void>((done) => {
      const timer = systemClock.setTimeout(done, LAUNCH_TIMEOUT)
      opener.once('exit', () => {
        timer.cancel()
        done()
      })
    })
  }
  const { exitCode, signalCode, spawnfile } = opener
  if (exitCode === 0 || (exitCode === null && signalCode === null)) return undefined
  return `${basename(spawnfile)} exited with ${exitCode ?? signalCode}.`
}

/** Returns the URL of the page in the language. If `lang` is undefined, the page uses the language of the browser. */
export function inLanguage(page: string, lang: string | undefined): string {
  return lang === undefined ? page : `${page}?lang=${lang}`
}
