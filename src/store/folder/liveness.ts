// Whether who holds a lock lives: by its process where that can be seen from here, else by the age of its lock.
import type { FileSystemPort } from './file-system.ts'
import { isCopiedLock, type LockInfo } from './lock-file.ts'
import { isAlive } from './process-identity.ts'

/** ms from one sign of life of a holder to the next. */
export const HEARTBEAT_INTERVAL = 2000

/** ms without a sign of life, after which a holder that cannot be seen is dead. A start may keep one busy for seconds. */
export const STALE_AFTER = 10_000

export type Liveness =
  | { readonly is: 'alive' | 'dead' }
  /** It may be alive: its lock was written last at `beat` (time of the disk, ms). */
  | { readonly is: 'afar'; readonly beat: number }

/**
 * @param path of its lock
 * @param here see `processPlace`
 * @param now by the clock of the disk that the lock is on, ms
 */
export function livenessOf(
  port: FileSystemPort,
  path: string,
  holder: LockInfo,
  here: string,
  now: () => number,
): Liveness {
  if (isCopiedLock(port, path, holder)) return { is: 'dead' }
  if (holder.place === undefined || holder.place === here) {
    return { is: isAlive(holder.pid, holder.start, holder.started_at) ? 'alive' : 'dead' }
  }
  const beat = port.modified(path)
  return beat === undefined || now() - beat > STALE_AFTER ? { is: 'dead' } : { is: 'afar', beat }
}
