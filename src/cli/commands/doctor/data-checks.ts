// Checks of the data directory: its lock, its disk and its files.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { CliError, explain } from '../../failure.ts'
import { dataFolder, fileReason } from '../../input/files.ts'
import type { Session } from '../../session.ts'
import { type Found, fail, ok, warn } from './finding.ts'
import { type Holder, holderOf } from './lock-holder.ts'

export async function checkLock(session: Session): Promise<Found> {
  const { data } = session.values
  const holder = await holderOf(session)
  switch (holder.kind) {
    case 'none':
      return ok(`${data} is not locked`)
    case 'dead':
      return ok(`${data} has a stale lock of process ${holder.pid}, which has exited. The next command replaces it`)
    case 'foreign':
      return foreignHolder(data, holder)
    case 'alive': {
      const lock = `${data} is in use by process ${holder.pid}${holder.url === undefined ? '' : ` at ${holder.url}`}`
      if (holder.responds) return ok(lock)
      return warn(
        `${lock}, which does not respond`,
        `It may be starting or suspended. Wait, or stop it with \`kill ${holder.pid}\`.`,
      )
    }
  }
}

function foreignHolder(data: string, { pid, host, url }: Extract<Holder, { kind: 'foreign' }>): Found {
  const lock = `${data} is locked by process ${pid}, in a container or on another machine${host === undefined ? '' : ` (${host})`}`
  if (url !== undefined) {
    return warn(
      `${lock}, whose server is at ${url}`,
      `Use it with --url ${url}. Commands cannot open the directory while it runs.`,
    )
  }
  return warn(
    `${lock}, which may still be alive`,
    'Use its published port with --url. Commands cannot open the directory while it runs. If it has exited, wait 10 s: then the lock is stale.',
  )
}

export interface DiskPort {
  exists(path: string): boolean
  isFolder(path: string): boolean
  /** @throws if this user may not write to the path */
  writable(path: string): void
  /** Free bytes for this user; `undefined` if the system does not report them. */
  free(path: string): number | undefined
}

const MIB = 1024 * 1024
/** A checkpoint needs space for new row pages, while the old pages and the journal still exist. */
const LOW_SPACE = 200 * MIB
const NO_SPACE = 5 * MIB

const CHOOSE_ANOTHER = 'Choose another directory with --data, or use --ephemeral to write nothing.'

export function checkDisk(session: Session, port: DiskPort = nodeDisk): Found {
  const { values } = session
  if (values.ephemeral) return ok('nothing is written: --ephemeral')
  const { dirname } = session.host.paths
  const folder = nearestExisting(dataFolder(session), dirname, port)
  if (!port.isFolder(folder)) return fail(`${folder} is a file, not a directory`, CHOOSE_ANOTHER)
  try {
    port.writable(folder)
  } catch (error) {
    return fail(
      `${folder} cannot be written to: ${fileReason(error)}`,
      `Give this user write permission. ${CHOOSE_ANOTHER}`,
    )
  }
  const free = port.free(folder)
  if (free === undefined) return ok(`${values.data} can be written to`)
  const left = `${Math.floor(free / MIB)} MiB are free on the disk of ${values.data}`
  if (free < NO_SPACE) return fail(left, `Free some space: the disk is full. ${CHOOSE_ANOTHER}`)
  if (free < LOW_SPACE) return warn(left, `Free some space. ${CHOOSE_ANOTHER}`)
  return ok(`${values.data} can be written to, ${left.replace(/ of .*/, '')}`)
}

function nearestExisting(path: string, dirname: (path: string) => string, port: DiskPort): string {
  const above = dirname(path)
  return port.exists(path) || above === path ? path : nearestExisting(above, dirname, port)
}

const nodeDisk: DiskPort = {
  exists: existsSync,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  writable: (path) => accessSync(path, constants.W_OK),
  free(path) {
    try {
      const { bavail, bsize } = statfsSync(path)
      return bavail * bsize
    } catch {
      return undefined
    }
  },
}

/** Checks that the data directory can be opened. A directory that another process uses is not opened. */
export async function checkData(session: Session): Promise<Found> {
  const { values } = session
  const folder = dataFolder(session)
  if (!existsSync(folder)) return ok(`${values.data} does not exist yet`)
  const { kind } = await holderOf(session)
  if (kind === 'alive' || kind === 'foreign') return ok(`${values.data} is open in another process`)
  try {
    const { openSandbox } = await import('../../local/open-sandbox.ts')
    const sandbox = await openSandbox(session, { folder, holdDeliveries: true })
    await sandbox.close({ grace_ms: 0 })
    return ok(`${values.data} can be opened`)
  } catch (error) {
    if (!(error instanceof CliError)) return fail(explain(error).message, 'Choose another directory with --data.')
    return fail(error.message, error.code === 'folder_damaged' ? DAMAGED_FIX : error.hint)
  }
}

const DAMAGED_FIX =
  'Follow the message, or restore the named file from a backup, or delete its last line if only the newest changes are damaged. `psp serve --data NEW` starts with a new directory and keeps this one.'
