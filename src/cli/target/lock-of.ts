import { readLock } from '../../store/folder/lock.ts'
import type { LockInfo } from '../../store/folder/lock-file.ts'

/** Who holds the folder. A path that can be no folder holds no lock; whoever opens it says what is wrong with it. */
export function lockOf(folder: string): LockInfo | undefined {
  try {
    return readLock(folder)
  } catch {
    return undefined
  }
}
