// Checks that this process still owns the data directory. A user may have removed or moved it. Another process may have
// taken it over while this one was suspended.
import { errorCode, StoreUnavailableError } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import { type FileSystemPort, ignoreErrors } from './file-system.ts'
import type { Layout } from './layout.ts'
import type { Lock } from './lock.ts'
import { isSameHolder, type LockInfo, readLockFile } from './lock-file.ts'

/** A data directory that was lost stays lost, because its files may have changed in the meantime. */
export interface Ownership {
  /**
   * Returns why this process no longer owns the directory. Reuses the last disk check if it is less than
   * {@link CHECK_INTERVAL} ms old. Never throws.
   */
  lostReason(): StoreUnavailableError | undefined
  /** @throws StoreUnavailableError if `lostReason` returns one */
  assertNotLost(): void
  /**
   * Checks the disk now.
   * @throws StoreUnavailableError if the directory is lost, or the error of the disk if the check fails
   */
  assertOwned(): void
  /** Call it when the store closes. Errors then give no advice that needs a running server. */
  beginClosing(): void
  /** Call it before the lock is released. Later calls check nothing. */
  stopChecking(): void
}

/** The ownership of a store in memory. */
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

/** In ms. Long enough that a busy server rarely reads the disk, and shorter than any action of a user. */
const CHECK_INTERVAL = 10

export function createOwnership({ port, layout, lock, journal, systemClock, notice }: OwnershipSource): Ownership {
  let lost: StoreUnavailableError | undefined
  let isClosing = false
  let ended = false
  let checkedAt = Number.NEGATIVE_INFINITY

  function checkDisk(): void {
    checkedAt = systemClock.now()
    const issue = ownershipIssue(port, layout, lock.holder) ?? journal.integrityIssue()
    if (issue === undefined) return
    lost = new StoreUnavailableError(`${issue} ${isClosing ? NEXT_STEP_AT_CLOSE : nextStep(lock.holder)}`)
    // Another process may already write the same file.
    journal.abandon()
    notice(lost.message)
  }

  function recentReason(): StoreUnavailableError | undefined {
    // If the check itself fails, the owner is unknown, and no loss is reported.
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

/**
 * Returns why the data directory does not belong to `holder`, as a sentence.
 * @throws the error of the disk
 */
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
    // The directory or one of its parents was replaced by a file.
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

const NEXT_STEP_AT_CLOSE =
  'psp is stopping and writes nothing there any more. The next start continues with the files that are left, so restore the data directory from a backup if you have one.'

function nextStep({ url }: LockInfo): string {
  const effect = 'This psp writes nothing there any more and rejects every change.'
  if (url === undefined) return `${effect} Run the command again.`
  return `${effect} Its memory still has all data: save it with \`psp store export FILE --url ${url}\`, then start psp again.`
}
