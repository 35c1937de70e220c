// A sandbox in the process of the command: without a server, or with a temporary one.
import { cpSync, existsSync } from 'node:fs'
import { basename } from 'node:path'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { reachableUrl } from '../../node/reachable-address.ts'
import { CONFIG_KEYS } from '../config/config-keys.ts'
import { CliError, usageError } from '../failure.ts'
import { dataFolder, fileReason, mayExist } from '../input/files.ts'
import type { Session, Target } from '../session.ts'
import { createTarget } from '../target/create-target.ts'
import { closeSandbox, fetchOf, openSandbox } from './open-sandbox.ts'
import { createTempDir } from './temp-dir.ts'

/**
 * Opens the data directory in this process. Webhooks are sent later, when a server opens the directory.
 * @param folder `undefined`: an empty sandbox in memory, because the directory does not exist or cannot be opened
 * @param also sentences to append to the note
 */
export async function openEmbedded(
  session: Session,
  folder: string | undefined,
  also: readonly string[],
): Promise<Target> {
  const isCopy = session.dryRun !== undefined && folder !== undefined
  const opened = isCopy ? copyOf(folder, session.host.pid) : { folder, remove() {} }
  const sandbox = await openSandbox(session, { ...omitUndefined({ folder: opened.folder }), holdDeliveries: true })
  const { out } = session
  out.aside(out.notePaint.dim([embeddedNote(session, opened.folder, isCopy), ...also].join(' ')))
  // Requests stay in this process. The URL is that of a later `psp serve`, so that links to hosted pages will work.
  const port = session.values.port || CONFIG_KEYS.port.fallback
  const url = `http://127.0.0.1:${port}`
  sandbox.setPayUrl(session.values.pay_url ?? reachableUrl(session.values.host, port))
  const target = createTarget(session, {
    kind: 'embedded',
    url,
    fetch: fetchOf(sandbox),
    apiKey: sandbox.defaultShop().api_key,
    close: async () => {
      await closeSandbox(sandbox, 0).catch((error: unknown) => {
        // The changes are in the journal, so the command was successful. An error would suggest running it again.
        if (!(error instanceof CliError) || error.code !== 'pages_not_written') throw error
        out.warn(`${error.message} ${error.hint}`)
      })
      opened.remove()
    },
  })
  return { ...target, overdueSteps: sandbox.overdueSteps }
}

function embeddedNote(session: Session, folder: string | undefined, isCopy: boolean): string {
  const { data } = session.values
  if (folder === undefined) {
    const issue = mayExist(dataFolder(session)) ? 'cannot be opened' : 'does not exist'
    return `No server is running, and ${data} ${issue}: this command uses an empty sandbox in memory.`
  }
  return `No server is running: this command uses ${isCopy ? `a copy of ${data}` : `${data} directly`}.`
}

/** Starts a server on the data directory, like `psp serve`. It stops when the command ends. */
export async function startTemporaryServer(session: Session, folder: string, also: readonly string[]): Promise<Target> {
  const { startLocalServer } = await import('./local-server.ts')
  const { values, out } = session
  const server = await startLocalServer(session, { folder: values.ephemeral ? undefined : folder, freePort: true })
  const started = `No server was running: this command started one at ${server.url}. It stops when the command ends.`
  out.note(out.notePaint.dim([started, ...also].join(' ')))
  return createTarget(session, {
    kind: 'own server',
    url: server.url,
    fetch: fetchOf(server.sandbox),
    apiKey: server.sandbox.defaultShop().api_key,
    close: server.close,
  })
}

/** A dry run uses a copy, because opening a sandbox runs its due timers. Without a directory, it uses memory. */
function copyOf(folder: string, pid: number): { folder: string | undefined; remove(): void } {
  if (!existsSync(folder)) return { folder: undefined, remove() {} }
  const { path: copy, remove } = createTempDir('dry-run', pid)
  try {
    cpSync(folder, copy, { recursive: true, filter: (path) => !/^lock/.test(basename(path)) })
  } catch (error) {
    remove()
    throw usageError(`${folder} cannot be read: ${fileReason(error)}.`, 'Give the data directory with --data.')
  }
  return { folder: copy, remove }
}
