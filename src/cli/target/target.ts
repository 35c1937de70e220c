// Chooses the sandbox of a command: the given URL, otherwise the server of the data directory, otherwise the directory.

import { createNodeFetch } from '../../client/node-fetch.ts'
import { fetchWithStallDetection } from '../../client/stall-detection.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { CliError } from '../failure.ts'
import { dataFolder, mayExist } from '../input/files.ts'
import { findDirectoryServer, findParentData, readLiveOwner } from '../local/find-directory-server.ts'
import type { Neighbour, Session, Target, TargetFallback } from '../session.ts'
import { createTarget, defaultApiKey } from './create-target.ts'
import { addressOf, findPspAt, neighbourText, reportUnusedData } from './other-server.ts'

export async function openTarget(session: Session, fallback: TargetFallback = 'folder'): Promise<Target> {
  const { values } = session
  if (values.url !== undefined) {
    await reportUnusedData(session, values.url)
    return remote(session, fallback, 'url', values.url)
  }
  const folder = dataFolder(session)
  let checked: { readonly neighbour: Neighbour | undefined } | undefined
  for (;;) {
    const server = findDirectoryServer(session)
    if (server !== undefined) {
      if (server.parentData !== undefined) noteParentServer(session, server.parentData, server.url)
      return remote(session, fallback, 'folder', server.url)
    }
    if (fallback === 'none') throw await noServerError(session)
    // Checked before this command starts a server, because that server may use the same port.
    checked ??= { neighbour: await findPspAt(session, addressOf(values.host, values.port)) }
    const parentData = findParentData(session)
    if (fallback === 'existing' && !mayExist(folder)) throw noDirectoryError(session, parentData, checked.neighbour)
    const onlyReads = fallback === 'read' || fallback === 'independent'
    // A new data directory here would hide the server of a parent directory from later commands.
    const embeddedFolder = onlyReads && !mayExist(folder) ? undefined : folder
    try {
      const local = await import('../local/embedded-sandbox.ts')
      const { neighbour } = checked
      const notes = [
        ...(parentData === undefined ? [] : [parentDataText(parentData)]),
        ...(neighbour === undefined ? [] : [neighbourText(neighbour)]),
      ]
      const target =
        fallback === 'server' && session.dryRun === undefined
          ? await local.startTemporaryServer(session, folder, notes)
          : await local.openEmbedded(session, embeddedFolder, notes)
      return { ...target, ...omitUndefined({ neighbour }) }
    } catch (error) {
      if (fallback === 'independent' && isUnusable(error)) return await inMemory(session)
      // If a server has started in the meantime, use it.
      if (!(isLocked(error) && readLiveOwner(folder)?.url !== undefined)) throw error
    }
  }
}

function noteParentServer({ out, values }: Session, parentData: string, url: string): void {
  out.aside(out.notePaint.dim(`No ${values.data} here: this command uses the server of ${parentData}, at ${url}.`))
}

function parentDataText(folder: string): string {
  return `No server uses ${folder}, a data directory in a parent directory. To use it, add --data ${folder}.`
}

async function inMemory(session: Session): Promise<Target> {
  const { openEmbedded } = await import('../local/embedded-sandbox.ts')
  return await openEmbedded(session, undefined, [])
}

function isUnusable(error: unknown): boolean {
  return error instanceof CliError && error.code === 'folder_unusable'
}

function isLocked(error: unknown): boolean {
  return error instanceof CliError && error.code === 'folder_locked'
}

async function noServerError(session: Session): Promise<CliError> {
  const { data, host, port } = session.values
  const other = await findPspAt(session, addressOf(host, port))
  return new CliError(
    'unreachable',
    `No server uses the data directory ${data}.`,
    other === undefined
      ? 'Start one with `psp serve`, or give the URL of another with --url or PSP_URL.'
      : `${neighbourText(other)} Or start a server for ${data} with \`psp serve --port 0\`.`,
  )
}

/** An export of an empty sandbox would hide that the name of the data directory has a typo. */
function noDirectoryError(
  { values }: Session,
  parentData: string | undefined,
  neighbour: Neighbour | undefined,
): CliError {
  const hints = [
    ...(parentData === undefined ? [] : [parentDataText(parentData)]),
    ...(neighbour === undefined ? [] : [neighbourText(neighbour)]),
  ]
  return new CliError(
    'not_found',
    `No server is running, and the data directory ${values.data} does not exist.`,
    hints.length > 0 ? hints.join(' ') : 'Name an existing data directory with --data, or a server with --url.',
  )
}

function remote(session: Session, fallback: TargetFallback, kind: Target['kind'], url: string): Target {
  const { fetch: nodeFetch, close } = createNodeFetch()
  const { host, out } = session
  const fetch = fetchWithStallDetection({
    fetch: nodeFetch,
    timers: host.systemClock,
    health: `${url}/_psp/health`,
    onStall() {
      // Long-running commands report their connection themselves. With `--json`, stderr contains only errors.
      if (fallback !== 'server' && !out.json)
        out.note(out.notePaint.dim(`${url} has not responded yet. Still waiting.`))
    },
  })
  return createTarget(session, { kind, url, fetch, apiKey: defaultApiKey(url), close: async () => close() })
}
