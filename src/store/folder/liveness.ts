// Determines whether a lock holder is alive: from its process if that is visible, otherwise from the age of its lock.
import type { FileSystemPort } from './file-system.ts'
import { isCopiedLock, type LockInfo } from './lock-file.ts'
import { isAlive } from './process-identity.ts'

/** The time between two heartbeats of a lock holder, in ms. */
export const HEARTBEAT_INTERVAL = 2000

/**
 * In ms. A holder whose process is not visible counts as dead after this time without a heartbeat. A holder that is
 * still starting may send no heartbeat for seconds.
 */
export const STALE_AFTER = 10_000

export type Liveness =
  | { readonly is: 'alive' | 'dead' }
  /** The holder may be alive. Its lock was last written at `heartbeatAt`, in ms by the clock of the disk. */
  | { readonly is: 'unknown'; readonly heartbeatAt: number }

/**
 * @param path the lock file
 * @param namespace the PID namespace of this process
 * @param now the time in ms by the clock of the disk with the lock
 */
export function livenessOf(
  port: FileSystemPort,
  path: string,
  holder: LockInfo,
  namespace: string,
  now: () => number,
): Liveness {
  if (isCopiedLock(port, path, holder)) return { is: 'dead' }
  if (holder.place === undefined || holder.place === namespace) {
    return { is: isAlive(holder.pid, holder.start, holder.started_at) ? 'alive' : 'dead' }
  }
  const heartbeatAt = port.modified(path)
  return heartbeatAt === undefined || now() - heartbeatAt > STALE_AFTER
    ? { is: 'dead' }
    : { is: 'unknown', heartbeatAt }
}
