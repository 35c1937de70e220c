// Ensures one writer per data directory. The lock file is created atomically, and replaced only if its holder is dead.
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { errorCode, StoreLockedError } from '../errors.ts'
import type { StoreOptions } from '../store.ts'
import { type FileSystemPort, ignoreErrors, nodeFileSystem, withFile, writeAll } from './file-system.ts'
import { layoutOf } from './layout.ts'
import { livenessOf, STALE_AFTER } from './liveness.ts'
import { isSameHolder, type LockInfo, lockBytes, readLockFile, writeTemporaryLock } from './lock-file.ts'
import { isAlive, pidNamespace, processStartId } from './process-identity.ts'

export interface Lock {
  readonly holder: LockInfo
  /** Writes the URL to the lock. Call it only while this process owns the directory; see `Ownership`. */
  publishUrl(url: string): void
  /** Writes a heartbeat for processes that cannot see this one. Does nothing if another process owns the lock. */
  heartbeat(): void
  release(): void
}

/** Returns the live process of this machine or container that owns the directory, if there is one. */
export function readLock(folder: string, port: FileSystemPort = nodeFileSystem): LockInfo | undefined {
  const path = layoutOf(resolve(folder)).lock
  const info = readLockFile(port, path)
  return info !== undefined && isAliveHere(port, path, info, pidNamespace()) ? info : undefined
}

function isAliveHere(port: FileSystemPort, path: string, holder: LockInfo, namespace = ''): boolean {
  return livenessOf(port, path, holder, namespace, () => 0).is === 'alive'
}

/** How many times this process has opened a data directory. */
let openings = 0

export interface LockOptions {
  /** Default: `pidNamespace()`. */
  readonly pidNamespace?: string | undefined
  /** The last heartbeat before a wait. A holder that is not visible counts as dead if it has sent none since. */
  readonly staleHeartbeat?: number | undefined
}

/** @throws StoreLockedError if a live process owns the directory */
export function acquireLock(port: FileSystemPort, folder: string, startedAt: number, options: LockOptions = {}): Lock {
  const path = layoutOf(folder).lock
  const { pidNamespace: place = pidNamespace(), staleHeartbeat } = options
  let info: LockInfo = omitUndefined({
    pid: process.pid,
    started_at: startedAt,
    start: processStartId(process.pid),
    place,
    host: hostname(),
    opening: ++openings,
    folder: resolve(folder),
    folder_id: port.stat(folder)?.id,
  })
  const other = claimLock(port, path, info, staleHeartbeat)
  if (other !== undefined) throw new StoreLockedError(folder, other.holder, other.heartbeatAt)
  removeLeftovers(port, folder)
  return {
    get holder() {
      return info
    },
    publishUrl(url) {
      const known = lockBytes(info)
      const announced = { ...info, url }
      try {
        port.rename(writeTemporaryLock(port, path, announced), path)
      } catch (error) {
        // A full disk has no space for a second file, but often has space for a few more bytes in this one.
        if (!port.overwrite(path, known, lockBytes(announced))) throw error
      }
      info = announced
    },
    heartbeat: () => void port.overwrite(path, lockBytes(info), lockBytes(info)),
    release() {
      const isReplaced = info.folder_id !== undefined && port.stat(folder)?.id !== info.folder_id
      if (!isReplaced && isSameHolder(readLockFile(port, path), info)) port.remove(path)
    },
  }
}

interface LiveHolder {
  readonly holder: LockInfo
  /** See `StoreLockedError`. */
  readonly heartbeatAt?: number
}

/**
 * Creates the lock file, or replaces the lock file of a dead process. Several processes may try at once. Before a
 * process replaces the file, it acquires a guard file, so that no other process replaces the new lock.
 * @returns the live holder, or `undefined` on success
 */
function claimLock(
  port: FileSystemPort,
  path: string,
  own: LockInfo,
  staleHeartbeat: number | undefined,
): LiveHolder | undefined {
  // This check comes before any write, so that a live holder is reported even if the disk is full.
  const known = readLockFile(port, path)
  if (known !== undefined && isAliveHere(port, path, known, own.place)) return { holder: known }
  const temporary = writeTemporaryLock(port, path, own)
  try {
    for (;;) {
      if (createLock(port, temporary, path)) return undefined
      const holder = readWithRetry(port, path)
      if (holder === undefined) continue
      const liveness = livenessOf(port, path, holder, own.place ?? '', () => port.modified(temporary) ?? 0)
      if (liveness.is === 'alive') return { holder }
      if (liveness.is === 'unknown' && liveness.heartbeatAt !== staleHeartbeat) {
        return { holder, heartbeatAt: liveness.heartbeatAt }
      }
      const guard = `${path}.${holder.pid}-${holder.started_at}`
      const other = claimLock(port, guard, own, undefined)
      if (other !== undefined) return other
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

function createLock(port: FileSystemPort, temporary: string, path: string): boolean {
  try {
    port.link(temporary, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    return createWithoutLinks(port, temporary, path)
  }
}

/** For file systems without hard links. A crash before the write leaves an empty lock, which counts as dead. */
function createWithoutLinks(port: FileSystemPort, temporary: string, path: string): boolean {
  try {
    withFile(port, path, 'wx', (fd) => writeAll(port, fd, port.read(temporary) ?? Buffer.alloc(0)))
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Without hard links the lock is briefly empty after its creation, so an empty lock is read again. */
function readWithRetry(port: FileSystemPort, path: string): LockInfo | undefined {
  const info = readLockFile(port, path)
  if (info?.pid !== 0) return info
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  return readLockFile(port, path)
}

/**
 * Removes the files of a process that died while it acquired a lock. This may also remove the guard of a live process.
 * That process checks the lock again before it replaces the lock, and then finds the lock of this process.
 */
function removeLeftovers(port: FileSystemPort, folder: string): void {
  for (const name of port.list(folder)) {
    const maker = /^lock\.tmp-(\d+)-/.exec(name)?.[1]
    if (!name.startsWith('lock.') || (maker !== undefined && isAlive(Number(maker), undefined))) continue
    ignoreErrors(() => port.remove(join(folder, name)))
  }
}

/** The time between two attempts, in ms. */
const PAUSE = 250

/**
 * Acquires the lock. The pid of a holder in another container or on another machine does not show whether the holder is
 * alive. In that case this function waits until the holder writes the lock again, or until the lock is stale. So a
 * container that was killed gets its directory back when it restarts.
 * @throws StoreLockedError
 */
export async function acquireLockWithRetry(
  port: FileSystemPort,
  folder: string,
  options: Pick<StoreOptions, 'systemClock' | 'pidNamespace' | 'notice'>,
): Promise<Lock> {
  const { systemClock, pidNamespace } = options
  let first: StoreLockedError | undefined
  for (let waited = 0; ; waited += PAUSE) {
    const staleHeartbeat = waited > STALE_AFTER ? first?.heartbeatAt : undefined
    try {
      return acquireLock(port, folder, systemClock.now(), { pidNamespace, staleHeartbeat })
    } catch (error) {
      if (!(error instanceof StoreLockedError)) throw error
      const { heartbeatAt } = error
      const canWait = heartbeatAt !== undefined && systemClock.setTimeout !== undefined
      // A holder that wrote the lock during the wait is alive.
      if (!canWait || heartbeatAt !== (first ?? error).heartbeatAt) throw error
      if (first === undefined)
        options.notice(`${error.message} Waiting up to ${STALE_AFTER / 1000} s to see if it is alive.`)
      first ??= error
    }
    await new Promise<void>((done) => void systemClock.setTimeout?.(done, PAUSE))
  }
}
