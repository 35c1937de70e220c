import { renameSync } from 'node:fs'
import { errorCode } from '../errors.ts'

/** Codes of a target that a virus scanner, an indexer or an editor holds for a moment. Elsewhere they mean what they say. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY']
const ATTEMPTS = 20

/** Renames a file. On Windows, where somebody may hold the target for a moment, tries again for half a second. */
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
      const held = platform === 'win32' && IN_USE.includes(errorCode(error) ?? '')
      if (!held || attempt === ATTEMPTS) throw error
      pause()
    }
  }
}

function pause25ms(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
}
