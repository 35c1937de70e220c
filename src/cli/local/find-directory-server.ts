// Finds the running server of the data directory. Like git, psp also looks in the parent directories.
import { type Stats, statSync } from 'node:fs'
import { readLock } from '../../store/folder/lock.ts'
import type { LockInfo } from '../../store/folder/lock-file.ts'
import { CONFIG_KEYS } from '../config/config-keys.ts'
import { dataFolder } from '../input/files.ts'
import type { Session } from '../session.ts'

type LookupContext = Pick<Session, 'host' | 'values' | 'config'>

export interface DirectoryServer {
  readonly url: string
  /** Full path of the data directory, if it is in a parent directory. */
  readonly parentData?: string
}

/** Returns the server of the data directory or, if there is none, of the nearest one in a parent directory. */
export function findDirectoryServer(session: LookupContext): DirectoryServer | undefined {
  const url = readLiveOwner(dataFolder(session))?.url
  if (url !== undefined) return { url }
  const parentData = findParentData(session)
  const parentUrl = parentData === undefined ? undefined : readLiveOwner(parentData)?.url
  return parentData === undefined || parentUrl === undefined ? undefined : { url: parentUrl, parentData }
}

/**
 * Returns the full path of the nearest data directory in a parent directory. Returns `undefined` if the user gave a
 * data directory, or if the working directory has one.
 */
export function findParentData(session: LookupContext): string | undefined {
  const { host, config } = session
  if (config.origins.data !== 'default' || statOf(dataFolder(session)) !== undefined) return undefined
  let below = host.cwd
  for (;;) {
    const folder = host.paths.dirname(below)
    if (folder === below) return undefined
    const stats = statOf(folder)
    // A directory such as /tmp may contain files of other users.
    if (stats === undefined || !isTrusted(stats, host.paths.sep)) return undefined
    const data = host.paths.join(folder, CONFIG_KEYS.data.fallback)
    const dataStats = statOf(data)
    if (dataStats?.isDirectory() === true) return isTrusted(dataStats, host.paths.sep) ? data : undefined
    below = folder
  }
}

/** Whether the directory belongs to this user or root, and not everyone may write to it. Windows reports neither. */
function isTrusted({ uid, mode }: Stats, separator: string): boolean {
  if (separator === '\\') return true
  return (mode & OTHERS_WRITE) === 0 && [process.getuid?.(), 0].includes(uid)
}

const OTHERS_WRITE = 0o002

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Returns the process that owns the data directory. An invalid path has no owner; opening it reports the error. */
export function readLiveOwner(folder: string): LockInfo | undefined {
  try {
    return readLock(folder)
  } catch {
    return undefined
  }
}
