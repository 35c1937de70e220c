// Changes are refused: until the disk takes writes again, or for good.
import { diskReason, StoreUnavailable } from './errors.ts'
import type { Ownership } from './folder/ownership.ts'

export interface Refusals {
  /** `undefined` while changes are taken. */
  readonly reason: StoreUnavailable | undefined
  /** It may be over: the next write tells. */
  readonly mayPass: boolean
  /** @throws StoreUnavailable where changes are refused for good */
  check(): void
  /** @throws StoreUnavailable where changes are refused, for now too */
  checkAll(): void
  /** A write, or a sync, failed. @returns what callers are told */
  because(error: unknown): StoreUnavailable
  /** Where it may be over: tries. Never throws. */
  retry(write: () => void): void
  /** A write was taken. */
  over(): void
  close(): void
}

const KEPT = 'Nothing was changed; the data can be read, but not changed, until'

/**
 * @param notice tells a person, once for each time that begins or ends
 * @param recovered called in the middle of a commit: what it begins must come later
 */
export function createRefusals(
  { check, lost }: Pick<Ownership, 'check' | 'lost'>,
  notice: (text: string) => void,
  recovered: () => void,
): Refusals {
  let reason: StoreUnavailable | undefined
  let final = false

  function over(): void {
    if (reason === undefined || final) return
    reason = undefined
    notice('The disk takes writes again: changes are stored.')
    recovered()
  }

  function forGood(error: StoreUnavailable): StoreUnavailable {
    if (reason === undefined || !final) reason = error
    final = true
    return reason
  }

  function forNow(error: StoreUnavailable): StoreUnavailable {
    const isNew = reason === undefined
    reason = new StoreUnavailable(
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
    get mayPass() {
      return reason !== undefined && !final
    },
    check() {
      if (reason !== undefined && final) throw reason
    },
    checkAll() {
      if (reason !== undefined) throw reason
    },
    because(error) {
      const gone = lost()
      if (gone !== undefined) return forGood(gone)
      if (error instanceof StoreUnavailable) return forNow(error)
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
    over,
    close: () => void forGood(new StoreUnavailable('The store is closed.')),
  }
}

/** After a failed sync nobody knows what the disk holds. */
function notDurable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `The journal could not be made durable: ${diskReason(error)}. ${KEPT} psp is started again.`,
    error,
  )
}
