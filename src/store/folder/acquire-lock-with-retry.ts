import { StoreLockedError } from '../errors.ts'
import type { StoreOptions } from '../store.ts'
import type { FileSystemPort } from './file-system.ts'
import { STALE_AFTER } from './liveness.ts'
import { acquireLock, type Lock } from './lock.ts'

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
