import { readLock } from '../../store/folder/lock.ts'
import type { LockInfo } from '../../store/folder/lock-file.ts'

/** Returns the owner of the data directory. An invalid path has no lock; opening it reports the error. */
export function readLockInfo(folder: string): LockInfo | undefined {
  try {
    return readLock(folder)
  } catch {
    return undefined
  }
}
