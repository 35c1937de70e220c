// Opening a payment's page for the person in front of the machine.
import type { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import type { Client } from '../../client/client.ts'
import type { WallClock } from '../../time/wall.ts'
import { CliError } from '../failure.ts'
import type { Session } from '../session.ts'

/**
 * The page counts as opened before the browser has started: a browser takes longer than the automatic buyer, who would have
 * paid by then.
 */
export async function openPage(
  client: Client,
  { host }: Pick<Session, 'host'>,
  { paymentId, url }: { readonly paymentId: string; readonly url: string },
): Promise<void> {
  const path = `/pay/${encodeURIComponent(paymentId)}`
  const reply = await client.raw.public.open({ method: 'GET', path, headers: { Accept: 'text/html' } })
  await reply.text()
  const { default: open } = await import('open')
  const why = await open(url)
    .then((opener) => failureOf(opener, host.wall))
    .catch((error: unknown) => (error as Error).message)
  if (why === undefined) return
  throw new CliError(
    'failed',
    `No browser could be started: ${why}`,
    `Open it by hand: ${url} (or \`psp payments pay ${paymentId}\`: the payment waits for its buyer now).`,
  )
}

/** ms in which a program that opens urls has failed, if it fails. */
const PATIENCE = 2000

type Opener = Pick<ChildProcess, 'exitCode' | 'signalCode' | 'spawnfile' | 'once'>

/** Why the program that opens urls did not; `undefined` where it did, or is still about it. */
export async function failureOf(opener: Opener, wall: Pick<WallClock, 'setTimeout'>): Promise<string | undefined> {
  if (opener.exitCode === null && opener.signalCode === null) {
    await new Promise<void>((done) => {
      const timer = wall.setTimeout(done, PATIENCE)
      opener.once('exit', () => {
        timer.cancel()
        done()
      })
    })
  }
  const { exitCode, signalCode, spawnfile } = opener
  if (exitCode === 0 || (exitCode === null && signalCode === null)) return undefined
  return `${basename(spawnfile)} ended with ${exitCode ?? signalCode}.`
}

/** The address of a page in this language; without one the page goes by what the browser asks for. */
export function inLanguage(page: string, lang: string | undefined): string {
  return lang === undefined ? page : `${page}?lang=${lang}`
}
