// A sandbox inside the command's own process: the data folder opened for a moment, or a whole server.
import type { FetchLike } from '../client/fetch-like.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import { openFailure } from './open-failure.ts'
import type { Session } from './session.ts'
import { resolveSettings } from './settings-config.ts'
import { createTarget, type Target } from './target.ts'

/** Opens the folder here; webhook attempts wait for a server. */
export async function embedded(session: Session, folder: string): Promise<Target> {
  const sandbox = await openSandbox(session, { folder, holdDeliveries: true })
  session.out.note(session.out.notePaint.dim(`No server runs: this command works on ${session.values.data} itself.`))
  return createTarget(session, {
    kind: 'embedded',
    url: EMBEDDED_URL,
    fetch: fetchOf(sandbox),
    apiKey: sandbox.start().api_key,
    close: () => sandbox.close({ grace_ms: 0 }),
  })
}

/** Starts a server on the folder, as `psp serve` would, for as long as the command runs. */
export async function ownServer(session: Session, folder: string): Promise<Target> {
  const { startLocalServer } = await import('./local-server.ts')
  const { values, out } = session
  const server = await startLocalServer(session, { folder: values.ephemeral ? undefined : folder, freePort: true })
  out.note(out.notePaint.dim(`No server runs: this command started one at ${server.url}, for as long as it runs.`))
  return createTarget(session, {
    kind: 'own server',
    url: server.url,
    fetch: fetchOf(server.sandbox),
    apiKey: server.sandbox.start().api_key,
    close: server.close,
  })
}

/** Nothing listens there: requests stay in the process. */
const EMBEDDED_URL = 'http://127.0.0.1:7770'

export function fetchOf(sandbox: Sandbox): FetchLike {
  return (url, init) => sandbox.fetch(new Request(url, init))
}

/** Opens a sandbox with the settings in force; failures of the folder become this program's own. */
export async function openSandbox(session: Session, options: SandboxOptions): Promise<Sandbox> {
  const { config, values, out, host } = session
  const settings = resolveSettings(config.sources).values
  try {
    return await createSandbox({
      wall: host.wall,
      settings,
      credentials: credentialsOf(session),
      notice: (text) => out.warn(text),
      onFault: (error) => void (values.debug && out.failure(error)),
      ...options,
    })
  } catch (error) {
    throw openFailure(error)
  }
}

function credentialsOf({ values }: Session): NonNullable<SandboxOptions['credentials']> {
  return {
    ...(values.api_key === undefined ? {} : { api_key: values.api_key }),
    ...(values.signing_secret === undefined ? {} : { signing_secret: values.signing_secret }),
    ...(values.webhook_secret === undefined ? {} : { webhook_secret: values.webhook_secret }),
  }
}
