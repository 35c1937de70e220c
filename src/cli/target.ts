// Which sandbox a command talks to: the named url, else the server that holds the data folder, else the folder itself.
import { resolve } from 'node:path'
import { createNodeFetch } from '../client/node-fetch.ts'
import { readLock } from '../store/lock.ts'
import { createTarget } from './create-target.ts'
import { defaultApiKey } from './credentials.ts'
import { CliError, usage } from './failure.ts'
import type { Session } from './session.ts'
import type { Target, TargetWish } from './target-contract.ts'

/** ms to wait for another command that holds the folder for a moment. */
const PATIENCE = 3000
const PAUSE = 40

export async function openTarget(session: Session, wish: TargetWish = 'folder'): Promise<Target> {
  const { values, host } = session
  if (values.url !== undefined) return remote(session, 'url', baseUrl(values.url))
  const folder = resolve(host.cwd, values.data)
  const end = host.wall.monotonic() + PATIENCE
  for (;;) {
    const lock = readLock(folder)
    if (lock?.url !== undefined) return remote(session, 'folder', lock.url)
    if (lock === undefined || host.wall.monotonic() > end) break
    await new Promise<void>((done) => void host.wall.setTimeout(done, PAUSE))
  }
  if (wish === 'none') {
    throw new CliError(
      'unreachable',
      `No server holds the data folder ${values.data}.`,
      'Start one with `psp serve`, or name another with --url or PSP_URL.',
    )
  }
  const opened = await import('./own-sandbox.ts')
  return wish === 'server' ? await opened.ownServer(session, folder) : await opened.embedded(session, folder)
}

function remote(session: Session, kind: Target['kind'], url: string): Target {
  const { fetch, close } = createNodeFetch()
  return createTarget(session, { kind, url, fetch, apiKey: defaultApiKey(url), close: async () => close() })
}

/** A base url as people type it; `localhost:7770` is http. */
function baseUrl(text: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const hint = 'Write it as http://127.0.0.1:7770.'
  if (!URL.canParse(whole)) throw usage(`--url: ${JSON.stringify(text)} is no url.`, hint)
  const url = new URL(whole)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw usage(`--url: ${url.protocol} is not http.`, hint)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
