// Puts the store in read-only mode: for a time after a failed write, for good after a failed fsync or a lost directory.
import { closedError, diskReason, StoreUnavailableError } from './errors.ts'
import type { Ownership } from './folder/ownership.ts'

export interface WriteAvailability {
  /** Why the store is read-only, or `undefined` if it is writable. */
  readonly reason: StoreUnavailableError | undefined
  /** True if the store is read-only temporarily: the next write shows whether the disk has recovered. */
  readonly isRetryable: boolean
  /** @throws StoreUnavailableError if the store is read-only permanently */
  assertWritable(): void
  /** @throws StoreUnavailableError if the store is read-only, even temporarily */
  assertAvailable(): void
  /** Handles a failed write or fsync. Returns the error for the callers. */
  fail(error: unknown): StoreUnavailableError
  /** Tries `write` if the store is read-only temporarily. Never throws. */
  retry(write: () => void): void
  /** Ends temporary read-only mode after a successful write. */
  endReadOnly(): void
  close(): void
}

const READ_ONLY = 'Nothing was changed; the data can be read, but not changed, until'

/**
 * @param notice prints a message when read-only mode begins or ends
 * @param onRecovered called in the middle of a commit, so it must defer its work
 */
export function createWriteAvailability(
  { assertNotLost, lostReason }: Pick<Ownership, 'assertNotLost' | 'lostReason'>,
  notice: (text: string) => void,
  onRecovered: () => void,
): WriteAvailability {
  let reason: StoreUnavailableError | undefined
  let isPermanent = false

  function endReadOnly(): void {
    if (reason === undefined || isPermanent) return
    reason = undefined
    notice('Writes to the disk succeed again. Changes are stored.')
    onRecovered()
  }

  function failPermanently(error: StoreUnavailableError): StoreUnavailableError {
    if (reason === undefined || !isPermanent) reason = error
    isPermanent = true
    return reason
  }

  function failTemporarily(error: StoreUnavailableError): StoreUnavailableError {
    const isNew = reason === undefined
    reason = new StoreUnavailableError(
      `${error.message}. ${READ_ONLY} a write succeeds. Each change tries again.`,
      error.cause,
    )
    if (isNew) notice(reason.message)
    return reason
  }

  return {
    get reason() {
      return lostReason() ?? reason
    },
    get isRetryable() {
      return reason !== undefined && !isPermanent
    },
    assertWritable() {
      if (reason !== undefined && isPermanent) throw reason
    },
    assertAvailable() {
      if (reason !== undefined) throw reason
    },
    fail(error) {
      const lost = lostReason()
      if (lost !== undefined) return failPermanently(lost)
      if (error instanceof StoreUnavailableError) return failTemporarily(error)
      const failure = failPermanently(notDurable(error))
      notice(failure.message)
      return failure
    },
    retry(write) {
      if (reason === undefined || isPermanent) return
      try {
        assertNotLost()
        write()
        endReadOnly()
      } catch {}
    },
    endReadOnly,
    close: () => void failPermanently(closedError()),
  }
}

/** After a failed fsync the content of the disk is unknown, so the store stays read-only. */
function notDurable(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    `The journal could not be made durable: ${diskReason(error)}. ${READ_ONLY} psp is started again.`,
    error,
  )
}
