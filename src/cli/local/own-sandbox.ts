// A sandbox inside the command's own process: the data folder opened for a moment, or a whole server.
import { cpSync, existsSync } from 'node:fs'
import { basename } from 'node:path'
import { sharedUrl } from '../../node/shared-address.ts'
import { CONFIG_KEYS } from '../config/config-keys.ts'
import { CliError, usage } from '../failure.ts'
import { fileReason } from '../input/file-reason.ts'
import type { Session } from '../session.ts'
import { createTarget } from '../target/create-target.ts'
import type { Target } from '../target/target-contract.ts'
import { closeFolder } from './close-folder.ts'
import { fetchOf, openSandbox } from './open-sandbox.ts'
import { scratchFolder } from './scratch-folder.ts'

/**
 * Opens the folder here; webhook attempts wait for a server.
 * @param folder `undefined`: it cannot be opened, and the command does without
 * @param also sentences that the one line of remarks ends with
 */
export async function embedded(session: Session, folder: string | undefined, also: readonly string[]): Promise<Target> {
  const copy = session.rehearsal === undefined || folder === undefined ? undefined : copyOf(folder, session.host.pid)
  const sandbox = await openSandbox(session, {
    ...folderOf(copy?.folder ?? (copy === undefined ? folder : undefined)),
    holdDeliveries: true,
  })
  const { out } = session
  out.aside(out.notePaint.dim([remarkOn(session.values.data, folder, copy !== undefined), ...also].join(' ')))
  // Requests stay in the process; `psp serve` would be there, and its pages.
  const port = session.values.port || CONFIG_KEYS.port.fallback
  const url = `http://127.0.0.1:${port}`
  sandbox.pagesAt(session.values.pay_url ?? sharedUrl(session.values.host, port))
  return createTarget(session, {
    kind: 'embedded',
    url,
    fetch: fetchOf(sandbox),
    apiKey: sandbox.start().api_key,
    close: async () => {
      await closeFolder(sandbox, 0).catch((error: unknown) => {
        // What the command did is in the journal: a failure would suggest to do it again.
        if (!(error instanceof CliError) || error.code !== 'pages_not_written') throw error
        out.warn(`${error.message} ${error.hint}`)
      })
      copy?.remove()
    },
  })
}

function remarkOn(data: string, folder: string | undefined, isCopy: boolean): string {
  if (folder === undefined) {
    return `No server runs, and ${data} cannot be opened: this command works on an empty sandbox in memory.`
  }
  return `No server runs: this command works on ${isCopy ? `a copy of ${data}` : `${data} itself`}.`
}

/** Starts a server on the folder, as `psp serve` would, for as long as the command runs. */
export async function ownServer(session: Session, folder: string, also: readonly string[]): Promise<Target> {
  const { startLocalServer } = await import('./local-server.ts')
  const { values, out } = session
  const server = await startLocalServer(session, { folder: values.ephemeral ? undefined : folder, freePort: true })
  const started = `No server runs: this command started one at ${server.url}, for as long as it runs.`
  out.note(out.notePaint.dim([started, ...also].join(' ')))
  return createTarget(session, {
    kind: 'own server',
    url: server.url,
    fetch: fetchOf(server.sandbox),
    apiKey: server.sandbox.start().api_key,
    close: server.close,
  })
}

const folderOf = (folder: string | undefined) => (folder === undefined ? {} : { folder })

/** Opening a folder already runs what fell due in it: a rehearsal works on a copy; without a folder, in memory. */
function copyOf(folder: string, pid: number): { folder: string | undefined; remove(): void } {
  if (!existsSync(folder)) return { folder: undefined, remove() {} }
  const { path: copy, remove } = scratchFolder('dry-run', pid)
  try {
    cpSync(folder, copy, { recursive: true, filter: (path) => !/^lock/.test(basename(path)) })
  } catch (error) {
    remove()
    throw usage(`${folder} cannot be read: ${fileReason(error)}.`, 'Name the data folder with --data.')
  }
  return { folder: copy, remove }
}
