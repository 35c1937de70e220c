// A sandbox inside the command's own process: the data folder opened for a moment, or a whole server.
import { createTarget } from './create-target.ts'
import { fetchOf, openSandbox } from './open-sandbox.ts'
import type { Session } from './session.ts'
import type { Target } from './target-contract.ts'

/** Opens the folder here; webhook attempts wait for a server. */
export async function embedded(session: Session, folder: string): Promise<Target> {
  const sandbox = await openSandbox(session, { folder, holdDeliveries: true })
  session.out.aside(session.out.notePaint.dim(`No server runs: this command works on ${session.values.data} itself.`))
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
