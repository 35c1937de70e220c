// Whether the folder is still ours: people remove and move folders and locks, and who was suspended may have lost it.
import { errorCode, StoreUnavailableError } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import { type FileSystemPort, ignoreErrors } from './file-system.ts'
import type { Layout } from './layout.ts'
import type { Lock } from './lock.ts'
import { isSameHolder, type LockInfo, readLockFile } from './lock-file.ts'

/** Once lost, a folder stays lost: nobody knows what was done to it meanwhile. */
export interface Ownership {
  /** Returns why this process no longer owns the directory. The check of the disk may be {@link LOOK_EVERY} ms old. Never throws. */
  lost(): StoreUnavailableError | undefined
  /** @throws StoreUnavailableError if `lost` returns one */
  check(): void
  /** Checks the disk now. @throws StoreUnavailableError if the directory is lost, or the error of the disk if the check fails */
  demand(): void
  /** Call it when the store closes. Errors then give no advice that needs a running server. */
  closing(): void
  /** Call it before the lock is released. Later calls check nothing. */
  end(): void
}

/** Nobody takes a store in memory away. */
export const ALWAYS_OWNED: Ownership = { lost: () => undefined, check() {}, demand() {}, closing() {}, end() {} }

export interface OwnershipSource {
  readonly port: FileSystemPort
  readonly layout: Layout
  readonly lock: Lock
  readonly journal: Journal
  readonly systemClock: { now(): number }
  notice(text: string): void
}

/** ms. So short that no person fits in between, so long that a busy server hardly looks. */
const LOOK_EVERY = 10

export function createOwnership({ port, layout, lock, journal, systemClock, notice }: OwnershipSource): Ownership {
  let lost: StoreUnavailableError | undefined
  let isClosing = false
  let ended = false
  let looked = Number.NEGATIVE_INFINITY

  function look(): void {
    looked = systemClock.now()
    const why = ownershipIssue(port, layout, lock.holder) ?? journal.problem()
    if (why === undefined) return
    lost = new StoreUnavailableError(`${why} ${isClosing ? ON_CLOSING : wayOn(lock.holder)}`)
    // Another process may write the same file by now.
    journal.abandon()
    notice(lost.message)
  }

  function lately(): StoreUnavailableError | undefined {
    // A disk that does not tell, tells nothing of the owner either.
    if (lost === undefined && !ended && Math.abs(systemClock.now() - looked) >= LOOK_EVERY) ignoreErrors(look)
    return lost
  }

  return {
    lost: lately,
    check() {
      if (lately() !== undefined) throw lost
    },
    demand() {
      if (lost === undefined && !ended) look()
      if (lost !== undefined) throw lost
    },
    closing() {
      isClosing = true
    },
    end() {
      ended = true
    },
  }
}

/** Why the folder does not belong to `holder`, as a sentence. @throws what the disk said */
export function ownershipIssue(port: FileSystemPort, layout: Layout, holder: LockInfo): string | undefined {
  const found = lockAt(port, layout)
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

function lockAt(port: FileSystemPort, layout: Layout): LockInfo | undefined {
  try {
    return readLockFile(port, layout.lock)
  } catch (error) {
    // The folder, or one above it, was replaced by a file.
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

const ON_CLOSING =
  'psp is stopping and writes nothing there any more. Restore the data directory from a backup, if you have one: the next start continues with what the directory still holds.'

function wayOn({ url }: LockInfo): string {
  const rest = 'This psp writes nothing there any more and refuses every change.'
  if (url === undefined) return `${rest} Run the command again.`
  return `${rest} What is in its memory can be read: save it with psp store export FILE --url ${url}, then start psp again.`
}
