// Changes are refused: until the disk takes writes again, or for good.
import { diskReason, StoreUnavailableError } from './errors.ts'
import type { Ownership } from './folder/ownership.ts'

export interface WriteAvailability {
  /** `undefined` while changes are taken. */
  readonly reason: StoreUnavailableError | undefined
  /** It may be over: the next write tells. */
  readonly isRetryable: boolean
  /** @throws StoreUnavailableError where changes are refused for good */
  assertWritable(): void
  /** @throws StoreUnavailableError where changes are refused, for now too */
  checkAll(): void
  /** A write, or a sync, failed. @returns what callers are told */
  fail(error: unknown): StoreUnavailableError
  /** Where it may be over: tries. Never throws. */
  retry(write: () => void): void
  /** A write was taken. */
  recovered(): void
  close(): void
}

const KEPT = 'Nothing was changed; the data can be read, but not changed, until'

/**
 * @param notice tells a person, once for each time that begins or ends
 * @param recovered called in the middle of a commit: what it begins must come later
 */
export function createWriteAvailability(
  { check, lost }: Pick<Ownership, 'check' | 'lost'>,
  notice: (text: string) => void,
  recovered: () => void,
): WriteAvailability {
  let reason: StoreUnavailableError | undefined
  let final = false

  function over(): void {
    if (reason === undefined || final) return
    reason = undefined
    notice('The disk takes writes again: changes are stored.')
    recovered()
  }

  function forGood(error: StoreUnavailableError): StoreUnavailableError {
    if (reason === undefined || !final) reason = error
    final = true
    return reason
  }

  function forNow(error: StoreUnavailableError): StoreUnavailableError {
    const isNew = reason === undefined
    reason = new StoreUnavailableError(
      `${error.message}. ${KEPT} the disk takes writes: each change tries it again.`,
      error.cause,
    )
    if (isNew) notice(reason.message)
    return reason
  }

  return {
    get reason() {
      return lost() ?? reason
    },
    get isRetryable() {
      return reason !== undefined && !final
    },
    assertWritable() {
      if (reason !== undefined && final) throw reason
    },
    checkAll() {
      if (reason !== undefined) throw reason
    },
    fail(error) {
      const gone = lost()
      if (gone !== undefined) return forGood(gone)
      if (error instanceof StoreUnavailableError) return forNow(error)
      const refused = forGood(notDurable(error))
      notice(refused.message)
      return refused
    },
    retry(write) {
      if (reason === undefined || final) return
      try {
        check()
        write()
        over()
      } catch {}
    },
    recovered: over,
    close: () => void forGood(new StoreUnavailableError('The store is closed.')),
  }
}

/** After a failed sync nobody knows what the disk holds. */
function notDurable(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError(
    `The journal could not be made durable: ${diskReason(error)}. ${KEPT} psp is started again.`,
    error,
  )
}
