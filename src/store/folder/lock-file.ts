// Reads and writes the lock file, which identifies the process that uses the data directory.
import { dirname, join } from 'node:path'
import { type FileSystemPort, ignoreErrors, withFile, writeAll } from './file-system.ts'

/** The content of the lock file. */
export interface LockInfo {
  readonly pid: number
  /** The URL of the server of this process, once it has one. */
  readonly url?: string
  /** When the process acquired the lock, in ms by its system clock. */
  readonly started_at: number
  /** Distinguishes the process from a later one with the same pid, see `processStartId`. */
  readonly start?: string
  /** The PID namespace in which `pid` is valid, see `pidNamespace`. Default: the namespace of the reader. */
  readonly place?: string
  /** The name of the machine or container, for messages. */
  readonly host?: string
  /** Counts the data directories that the process has opened. It distinguishes two locks of one process. */
  readonly opening?: number
  /** The path and id of the locked directory. In a copy of the directory, the lock has those of the original. */
  readonly folder?: string
  readonly folder_id?: string
}

/**
 * Returns the content of the lock, or `undefined` if there is no lock. An unreadable lock has the pid 0, so it counts
 * as dead, and the length of the file instead of a time.
 */
export function readLockFile(port: FileSystemPort, path: string): LockInfo | undefined {
  const bytes = port.read(path)
  if (bytes === undefined) return undefined
  try {
    const info: LockInfo = JSON.parse(bytes.toString('utf8'))
    if (Number.isSafeInteger(info.pid)) return info
  } catch {}
  return { pid: 0, started_at: bytes.length }
}

let temporaryLocks = 0

/** Writes the content to a temporary file in the directory of `path`, and returns its path. */
export function writeTemporaryLock(port: FileSystemPort, path: string, info: LockInfo): string {
  const temporary = join(dirname(path), `lock.tmp-${process.pid}-${++temporaryLocks}`)
  try {
    withFile(port, temporary, 'w', (fd) => writeAll(port, fd, lockBytes(info)))
  } catch (error) {
    ignoreErrors(() => port.remove(temporary))
    throw error
  }
  return temporary
}

export function lockBytes(info: LockInfo): Buffer {
  return Buffer.from(`${JSON.stringify(info)}\n`)
}

/**
 * Returns whether the lock was copied together with its directory. A moved directory keeps its id. Some file systems
 * give a directory a new id, so the same path also means that it is the original.
 */
export function isCopiedLock(port: FileSystemPort, lockPath: string, info: LockInfo): boolean {
  const folder = dirname(lockPath)
  if (info.folder === undefined || info.folder_id === undefined || info.folder === folder) return false
  const found = port.stat(folder)?.id
  return found !== undefined && found !== info.folder_id
}

/** Returns whether both are the same lock, acquired once by one process. Their URLs may differ. */
export function isSameHolder(a: LockInfo | undefined, b: LockInfo): boolean {
  return (
    a !== undefined &&
    a.pid === b.pid &&
    a.started_at === b.started_at &&
    a.start === b.start &&
    a.place === b.place &&
    a.opening === b.opening
  )
}
