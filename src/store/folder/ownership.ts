// Whether the folder is still ours: people remove and move folders and locks, and who was suspended may have lost it.
import { errorCode, StoreUnavailableError } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import { type FileSystemPort, ignoreErrors } from './file-system.ts'
import type { Layout } from './layout.ts'
import type { Lock } from './lock.ts'
import { isSameHolder, type LockInfo, readLockFile } from './lock-file.ts'

/** Once lost, a folder stays lost: nobody knows what was done to it meanwhile. */
export interface Ownership {
  /** Returns why this process no longer owns the directory. The check of the disk may be {@link CHECK_INTERVAL} ms old. Never throws. */
  lostReason(): StoreUnavailableError | undefined
  /** @throws StoreUnavailableError if `lost` returns one */
  assertNotLost(): void
  /** Checks the disk now. @throws StoreUnavailableError if the directory is lost, or the error of the disk if the check fails */
  assertOwned(): void
  /** Call it when the store closes. Errors then give no advice that needs a running server. */
  beginClosing(): void
  /** Call it before the lock is released. Later calls check nothing. */
  stopChecking(): void
}

/** Nobody takes a store in memory away. */
export const ALWAYS_OWNED: Ownership = {
  lostReason: () => undefined,
  assertNotLost() {},
  assertOwned() {},
  beginClosing() {},
  stopChecking() {},
}

export interface OwnershipSource {
  readonly port: FileSystemPort
  readonly layout: Layout
  readonly lock: Lock
  readonly journal: Journal
  readonly systemClock: { now(): number }
  notice(text: string): void
}

/** ms. So short that no person fits in between, so long that a busy server hardly looks. */
const CHECK_INTERVAL = 10

export function createOwnership({ port, layout, lock, journal, systemClock, notice }: OwnershipSource): Ownership {
  let lost: StoreUnavailableError | undefined
  let isClosing = false
  let ended = false
  let checkedAt = Number.NEGATIVE_INFINITY

  function checkDisk(): void {
    checkedAt = systemClock.now()
    const why = ownershipIssue(port, layout, lock.holder) ?? journal.problem()
    if (why === undefined) return
    lost = new StoreUnavailableError(`${why} ${isClosing ? NEXT_STEP_AT_CLOSE : nextStep(lock.holder)}`)
    // Another process may write the same file by now.
    journal.abandon()
    notice(lost.message)
  }

  function recentReason(): StoreUnavailableError | undefined {
    // A disk that does not tell, tells nothing of the owner either.
    if (lost === undefined && !ended && Math.abs(systemClock.now() - checkedAt) >= CHECK_INTERVAL)
      ignoreErrors(checkDisk)
    return lost
  }

  return {
    lostReason: recentReason,
    assertNotLost() {
      if (recentReason() !== undefined) throw lost
    },
    assertOwned() {
      if (lost === undefined && !ended) checkDisk()
      if (lost !== undefined) throw lost
    },
    beginClosing() {
      isClosing = true
    },
    stopChecking() {
      ended = true
    },
  }
}

/** Why the folder does not belong to `holder`, as a sentence. @throws what the disk said */
export function ownershipIssue(port: FileSystemPort, layout: Layout, holder: LockInfo): string | undefined {
  const found = findLock(port, layout)
  const { folder } = layout
  if (isSameHolder(found, holder)) {
    if (holder.folder_id === undefined || port.stat(folder)?.id === holder.folder_id) return undefined
    return `The data directory ${folder} was replaced by a copy while psp used it.`
  }
  if (found === undefined) {
    return port.list(folder).length === 0
      ? `The data directory ${folder} was removed or moved away while psp used it.`
      : `The lock of the data directory ${folder} was removed while psp used it.`
  }
  if (found.pid === 0) return `The lock of the data directory ${folder} was overwritten while psp used it.`
  const who = found.url === undefined ? `process ${found.pid}` : `process ${found.pid} (${found.url})`
  return `The data directory ${folder} now belongs to ${who}.`
}

function findLock(port: FileSystemPort, layout: Layout): LockInfo | undefined {
  try {
    return readLockFile(port, layout.lock)
  } catch (error) {
    // The folder, or one above it, was replaced by a file.
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

const NEXT_STEP_AT_CLOSE =
  'psp is stopping and writes nothing there any more. Restore the data directory from a backup, if you have one: the next start continues with what the directory still holds.'

function nextStep({ url }: LockInfo): string {
  const rest = 'This psp writes nothing there any more and refuses every change.'
  if (url === undefined) return `${rest} Run the command again.`
  return `${rest} What is in its memory can be read: save it with psp store export FILE --url ${url}, then start psp again.`
}
