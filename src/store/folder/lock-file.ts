// The file that says who holds the folder.
import { dirname, join } from 'node:path'
import { type FileSystemPort, ignoreErrors, writeAll } from './file-system.ts'

/** Content of the lock file. */
export interface LockInfo {
  readonly pid: number
  /** Absent while the owner has no server, or none yet. */
  readonly url?: string
  /** Wall clock, ms. */
  readonly started_at: number
  /** Tells a process from a later one with its number. */
  readonly start?: string
  /** Where its number means this process; absent: here. See `processPlace`. */
  readonly place?: string
  /** The machine's, or container's, name: for people. */
  readonly host?: string
  /** Tells two openings of one process apart. */
  readonly opening?: number
  /** Path and identity of the folder that was locked: a lock that was copied with its folder names another one. */
  readonly folder?: string
  readonly folder_id?: string
}

/** An unreadable lock names no live process: it reads as process 0. `undefined` when there is none. */
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

/** @returns the name of a file of our own with the content, beside `path` */
export function writeTemporaryLock(port: FileSystemPort, path: string, info: LockInfo): string {
  const temporary = join(dirname(path), `lock.tmp-${process.pid}-${++temporaryLocks}`)
  const fd = port.open(temporary, 'w')
  try {
    writeAll(port, fd, lockBytes(info))
  } catch (error) {
    ignoreErrors(() => port.remove(temporary))
    throw error
  } finally {
    port.close(fd)
  }
  return temporary
}

export function lockBytes(info: LockInfo): Buffer {
  return Buffer.from(`${JSON.stringify(info)}\n`)
}

/**
 * Whether the lock is a copy, as it came along when the folder was copied. A folder that was moved keeps its identity, and
 * some file systems number a folder again, for which its path speaks.
 */
export function isCopiedLock(port: FileSystemPort, lockPath: string, info: LockInfo): boolean {
  const folder = dirname(lockPath)
  if (info.folder === undefined || info.folder_id === undefined || info.folder === folder) return false
  const found = port.stat(folder)?.id
  return found !== undefined && found !== info.folder_id
}

/** Whether both are of one opening of the folder. */
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
