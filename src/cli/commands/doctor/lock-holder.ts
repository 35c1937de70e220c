// Finds the process that owns the data directory, from the lock and the URL in the lock.
import { omitUndefined } from '../../../domain/omit-undefined.ts'
import { nodeFileSystem } from '../../../store/folder/file-system.ts'
import { layoutOf } from '../../../store/folder/layout.ts'
import { livenessOf } from '../../../store/folder/liveness.ts'
import { type LockInfo, readLockFile } from '../../../store/folder/lock-file.ts'
import { pidNamespace } from '../../../store/folder/process-identity.ts'
import { dataFolder } from '../../input/files.ts'
import { readLiveOwner } from '../../local/find-directory-server.ts'
import type { Session } from '../../session.ts'
import { findPspAt } from '../../target/other-server.ts'

export type Holder =
  /** There is no lock. */
  | { readonly kind: 'none' }
  /** The process of the lock has exited. */
  | { readonly kind: 'dead'; readonly pid: number }
  /** In a container or on another machine. Its URL responds, or its heartbeat is recent, so it may still be running. */
  | { readonly kind: 'foreign'; readonly pid: number; readonly host?: string; readonly url?: string }
  /** The process runs here. `responds` is true if the lock has no URL yet. */
  | { readonly kind: 'alive'; readonly pid: number; readonly url?: string; readonly responds: boolean }

export async function holderOf(session: Session): Promise<Holder> {
  const folder = dataFolder(session)
  const alive = readLiveOwner(folder)
  if (alive !== undefined) {
    const { pid, url } = alive
    if (url === undefined) return { kind: 'alive', pid, responds: true }
    return { kind: 'alive', pid, url, responds: (await findPspAt(session, url)) !== undefined }
  }
  const lock = lockFile(folder)
  if (lock === undefined) return { kind: 'none' }
  const { pid, host } = lock
  const found = lock.url === undefined ? undefined : await findPspAt(session, lock.url)
  const url = found !== undefined && (found.pid ?? pid) === pid ? found.url : undefined
  if (url === undefined && !mayBeAlive(session, folder, lock)) return { kind: 'dead', pid }
  return { kind: 'foreign', pid, ...omitUndefined({ host, url }) }
}

function lockFile(folder: string): LockInfo | undefined {
  try {
    return readLockFile(nodeFileSystem, layoutOf(folder).lock)
  } catch {
    return undefined
  }
}

function mayBeAlive({ host }: Session, folder: string, holder: LockInfo): boolean {
  const { lock } = layoutOf(folder)
  return livenessOf(nodeFileSystem, lock, holder, pidNamespace(), host.systemClock.now).is === 'unknown'
}
