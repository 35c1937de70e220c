import { renameSync } from 'node:fs'
import { errorCode } from '../errors.ts'

/** Error codes on Windows if a virus scanner, an indexer or an editor has the target open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY']
const ATTEMPTS = 20

/** Renames a file. Retries for half a second, because on Windows another program may briefly have the target open. */
export function renameWithRetry(
  from: string,
  to: string,
  { rename = renameSync, platform = process.platform as string, pause = pause25ms } = {},
): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rename(from, to)
      return
    } catch (error) {
      const isInUse = platform === 'win32' && IN_USE.includes(errorCode(error) ?? '')
      if (!isInUse || attempt === ATTEMPTS) throw error
      pause()
    }
  }
}

function pause25ms(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
}
