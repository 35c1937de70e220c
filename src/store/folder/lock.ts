// One writer to a folder: a file with who it is, made in one step, taken over only from the dead.
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { StoreLockedError } from '../errors.ts'
import { type FileSystemPort, ignoreErrors, nodeFileSystem, writeAll } from './file-system.ts'
import { layoutOf } from './layout.ts'
import { livenessOf } from './liveness.ts'
import { isSameHolder, type LockInfo, lockBytes, readLockFile, writeBeside } from './lock-file.ts'
import { isAlive, pidNamespace, processStart } from './process-identity.ts'

export interface Lock {
  /** What the file says of this opening of the folder. */
  readonly holder: LockInfo
  /** Only while the folder is ours: see `Ownership`. */
  announce(url: string): void
  /** A sign of life, for those who cannot see this process. Does nothing when the lock is another's. */
  beat(): void
  release(): void
}

/** Who of this machine or container holds the folder: `undefined` when nobody alive does. */
export function readLock(folder: string, port: FileSystemPort = nodeFileSystem): LockInfo | undefined {
  const path = layoutOf(resolve(folder)).lock
  const info = readLockFile(port, path)
  return info !== undefined && isAliveHere(port, path, info, pidNamespace()) ? info : undefined
}

function isAliveHere(port: FileSystemPort, path: string, holder: LockInfo, here = ''): boolean {
  return livenessOf(port, path, holder, here, () => 0).is === 'alive'
}

/** Of folders, by this process. */
let openings = 0

export interface LockOptions {
  /** Default: `processPlace()`. */
  readonly place?: string | undefined
  /** A holder that cannot be seen from here, and whose lock was written last then, has been watched for long enough. */
  readonly silent?: number | undefined
}

/** @throws StoreLockedError when a live process holds the folder */
export function takeLock(port: FileSystemPort, folder: string, startedAt: number, options: LockOptions = {}): Lock {
  const path = layoutOf(folder).lock
  const { place = pidNamespace(), silent } = options
  const start = processStart(process.pid)
  const folder_id = port.stat(folder)?.id
  let mine: LockInfo = {
    pid: process.pid,
    started_at: startedAt,
    ...(start !== undefined && { start }),
    place,
    host: hostname(),
    opening: ++openings,
    folder: resolve(folder),
    ...(folder_id !== undefined && { folder_id }),
  }
  const held = claim(port, path, mine, silent)
  if (held !== undefined) throw new StoreLockedError(folder, held.holder, held.beat)
  sweep(port, folder)
  return {
    get holder() {
      return mine
    },
    announce(url) {
      const known = lockBytes(mine)
      const told = { ...mine, url }
      try {
        port.rename(writeBeside(port, path, told), path)
      } catch (error) {
        // A full disk has no room for a second file, but for a few bytes more.
        if (!port.overwrite(path, known, lockBytes(told))) throw error
      }
      mine = told
    },
    beat: () => void port.overwrite(path, lockBytes(mine), lockBytes(mine)),
    release() {
      const isReplaced = mine.folder_id !== undefined && port.stat(folder)?.id !== mine.folder_id
      if (!isReplaced && isSameHolder(readLockFile(port, path), mine)) port.remove(path)
    },
  }
}

interface Held {
  readonly holder: LockInfo
  /** See `StoreLockedError`. */
  readonly beat?: number
}

/**
 * Makes the file, or replaces that of a dead process. Several may try at once: who replaces holds a second such file,
 * named after the dead one, so that nobody replaces the winner. @returns the live holder, `undefined` on success
 */
function claim(port: FileSystemPort, path: string, mine: LockInfo, silent: number | undefined): Held | undefined {
  // Before anything is written: on a full disk, too, a live holder is named.
  const known = readLockFile(port, path)
  if (known !== undefined && isAliveHere(port, path, known, mine.place)) return { holder: known }
  const temporary = writeBeside(port, path, mine)
  try {
    for (;;) {
      if (create(port, temporary, path)) return undefined
      const holder = readPatiently(port, path)
      if (holder === undefined) continue
      const life = livenessOf(port, path, holder, mine.place ?? '', () => port.modified(temporary) ?? 0)
      if (life.is === 'alive') return { holder }
      if (life.is === 'afar' && life.beat !== silent) return { holder, beat: life.beat }
      const guard = `${path}.${holder.pid}-${holder.started_at}`
      const rival = claim(port, guard, mine, undefined)
      if (rival !== undefined) return rival
      try {
        if (!isSameHolder(readLockFile(port, path), holder)) continue
        port.rename(temporary, path)
        return undefined
      } finally {
        port.remove(guard)
      }
    }
  } finally {
    port.remove(temporary)
  }
}

function create(port: FileSystemPort, temporary: string, path: string): boolean {
  try {
    port.link(temporary, path)
    return true
  } catch (error) {
    if (isTaken(error)) return false
    return createWithoutLinks(port, temporary, path)
  }
}

/** Some file systems have no second names. A crash between the two steps leaves an empty lock, which counts as dead. */
function createWithoutLinks(port: FileSystemPort, temporary: string, path: string): boolean {
  let fd: number
  try {
    fd = port.open(path, 'wx')
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
  try {
    writeAll(port, fd, port.read(temporary) ?? Buffer.alloc(0))
  } finally {
    port.close(fd)
  }
  return true
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Without second names there is a moment between the making of the file and its content. */
function readPatiently(port: FileSystemPort, path: string): LockInfo | undefined {
  const info = readLockFile(port, path)
  if (info?.pid !== 0) return info
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  return readLockFile(port, path)
}

/**
 * What a process that died while it took a lock left behind. Guards of live ones may go too: they look at the lock
 * again before they replace it, and find this process there.
 */
function sweep(port: FileSystemPort, folder: string): void {
  for (const name of port.list(folder)) {
    const maker = /^lock\.tmp-(\d+)-/.exec(name)?.[1]
    if (!name.startsWith('lock.') || (maker !== undefined && isAlive(Number(maker), undefined))) continue
    ignoreErrors(() => port.remove(join(folder, name)))
  }
}
