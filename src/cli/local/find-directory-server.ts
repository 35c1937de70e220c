// If no data directory is given and none is here, a parent directory may contain it, as with git.
import { type Stats, statSync } from 'node:fs'
import { readLock } from '../../store/folder/lock.ts'
import type { LockInfo } from '../../store/folder/lock-file.ts'
import { CONFIG_KEYS } from '../config/config-keys.ts'
import { dataFolder } from '../input/files.ts'
import type { Session } from '../session.ts'

type LookupContext = Pick<Session, 'host' | 'values' | 'config'>

/** The server of this command's data directory, or of the nearest one in a parent directory. */
export interface LockedDir {
  readonly url: string
  /** Full path of the data directory, if it is in a parent directory. */
  readonly above?: string
}

export function findLockedDir(session: LookupContext): LockedDir | undefined {
  const url = readLockInfo(dataFolder(session))?.url
  if (url !== undefined) return { url }
  const above = findDirAbove(session)
  const aboveUrl = above === undefined ? undefined : readLockInfo(above)?.url
  return above === undefined || aboveUrl === undefined ? undefined : { url: aboveUrl, above }
}

/** Returns the full path of the nearest data directory above; `undefined` if one is given or is here. */
export function findDirAbove(session: LookupContext): string | undefined {
  const { host, config } = session
  if (config.origins.data !== 'default' || statOf(dataFolder(session)) !== undefined) return undefined
  let below = host.cwd
  for (;;) {
    const folder = host.paths.dirname(below)
    if (folder === below) return undefined
    const [there, data] = [statOf(folder), host.paths.join(folder, CONFIG_KEYS.data.fallback)]
    // A directory such as /tmp may contain files of other users.
    if (there === undefined || !isTrusted(there, host.paths.sep)) return undefined
    const found = statOf(data)
    if (found?.isDirectory() === true) return isTrusted(found, host.paths.sep) ? data : undefined
    below = folder
  }
}

/** Whether only this user or root can have created it. Windows reports neither owner nor mode. */
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

/** Returns the owner of the data directory. An invalid path has no lock; opening it reports the error. */
export function readLockInfo(folder: string): LockInfo | undefined {
  try {
    return readLock(folder)
  } catch {
    return undefined
  }
}
